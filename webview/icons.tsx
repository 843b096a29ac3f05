// Drawn here, so that no font and no picture has to be loaded. All are 16 by 16 and take the colour of their text.
import type { ComponentChildren, JSX } from "preact";

const stroke = {
  fill: "none",
  stroke: "currentColor",
  "stroke-width": "1.4",
  "stroke-linecap": "round",
  "stroke-linejoin": "round",
} as const;

const shapes = {
  /** Open: nothing was said about it. */
  open: <circle cx="8" cy="8" r="5.3" {...stroke} />,
  "in-progress": (
    <>
      <circle cx="8" cy="8" r="5.3" {...stroke} />
      <path d="M8 5.2a2.8 2.8 0 0 1 0 5.6z" fill="currentColor" />
    </>
  ),
  /** Ticked by the agent: hollow. */
  claimed: (
    <>
      <circle cx="8" cy="8" r="5.3" stroke-dasharray="2.1 2" {...stroke} />
      <path d="m5.7 8.2 1.6 1.6 3-3.5" {...stroke} />
    </>
  ),
  /** Confirmed by the gate: a full seal. */
  verified: (
    <path
      fill="currentColor"
      fill-rule="evenodd"
      d="m8 .9 1.7 1.3 2.1-.2.7 2 1.9.9-.3 2.1 1 1.9-1.5 1.5-.2 2.1-2.1.4L10 14.600l-2-.7-2 .7-1.300-1.700-2.100-.4-.2-2.100L.900 8.900l1-1.900-.300-2.100 1.900-.900.700-2 2.100.2zM4.700 8.100l2.500 2.600 4.200-4.900-1-.9-3.200 3.800-1.600-1.600z"
    />
  ),
  "cancel-requested": (
    <>
      <circle cx="8" cy="8" r="5.3" stroke-dasharray="2.1 2" {...stroke} />
      <path d="M5.800 8h4.400" {...stroke} />
    </>
  ),
  cancelled: (
    <>
      <circle cx="8" cy="8" r="5.3" {...stroke} />
      <path d="m4.400 11.600 7.200-7.200" {...stroke} />
    </>
  ),
  ok: <path d="m3.600 8.400 2.900 2.900 5.900-6.600" {...stroke} />,
  error: <path d="m4.300 4.300 7.400 7.400m0-7.400-7.400 7.400" {...stroke} />,
  denied: (
    <>
      <circle cx="8" cy="8" r="5.800" {...stroke} />
      <path d="m4 4 8 8" {...stroke} />
    </>
  ),
  waiting: (
    <>
      <circle cx="8" cy="8" r="5.800" {...stroke} />
      <path d="M6.200 6.400a1.900 1.900 0 1 1 2.700 1.700c-.6.300-.9.600-.9 1.200m0 2.100v.1" {...stroke} />
    </>
  ),
  interrupted: <path d="M8 2.500 14 13H2zm0 4v3m0 1.900v.1" {...stroke} />,
  none: <path d="M4.500 8h7" {...stroke} />,
  gate: <path d="M8 1.800 13 3.600v4.200c0 3-2 5.300-5 6.400-3-1.100-5-3.400-5-6.400V3.600z" {...stroke} />,
  chevron: <path d="m6 4 4 4-4 4" {...stroke} />,
  down: <path d="M8 3v9.500m-4-4 4 4 4-4" {...stroke} />,
  send: <path d="M2.500 13.200 14 8 2.500 2.800 4 8zM4 8h5" {...stroke} />,
  stop: <rect x="4" y="4" width="8" height="8" rx="1" fill="currentColor" />,
  person: (
    <>
      <circle cx="8" cy="5.400" r="2.600" {...stroke} />
      <path d="M3 13.500c.4-2.600 2.300-4 5-4s4.600 1.400 5 4" {...stroke} />
    </>
  ),
  running: <path class="spin" d="M8 2.700a5.300 5.300 0 1 1-5.300 5.300" {...stroke} />,
} satisfies Record<string, JSX.Element>;

export type IconName = keyof typeof shapes;

/** With a label it is a picture with a name, without one it is decoration. */
export function Icon({ name, tone, label }: { name: IconName; tone?: string; label?: string }): JSX.Element {
  const shape: ComponentChildren = shapes[name];
  const named = label === undefined ? { "aria-hidden": true as const } : { role: "img" as const, "aria-label": label };
  return (
    <svg
      class={`icon ${tone === undefined ? "" : `tone-${tone}`}`}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      {...named}
    >
      {shape}
    </svg>
  );
}
