import { useEffect } from "preact/hooks";

/** Who comes to the page without pointing at anything can speak at once; where nothing can be said, the feed is read. */
export function useFocusComing(): void {
  useEffect(() => {
    const welcome = (): void => {
      if (document.activeElement !== document.body) return;
      const find = (selector: string) => document.querySelector<HTMLElement>(selector);
      const place = find(".composer textarea:enabled") ?? find(".feed");
      place?.focus({ preventScroll: true });
    };
    window.addEventListener("focus", welcome);
    return () => window.removeEventListener("focus", welcome);
  }, []);
}
