import { Component, h, type ComponentType } from "preact";
import type { JSX } from "preact";

/**
 * Draws again only when its properties say something else. Every snapshot is a new object, most of it as before.
 * The context goes through all the same.
 */
export function memo<P extends object>(Inner: ComponentType<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return JSON.stringify(next) !== JSON.stringify(this.props);
    }
    render(): JSX.Element {
      return h(Inner, this.props);
    }
  };
}
