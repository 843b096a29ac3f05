import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** When what has the focus goes away, the transcript gets it: else it would fall on the page's first button. */
export function useFocusKept(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = box.current;
    return () => {
      if (element?.contains(document.activeElement) !== true) return;
      document.querySelector<HTMLElement>(".feed")?.focus({ preventScroll: true });
    };
  }, []);
}
