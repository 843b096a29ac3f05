/** The shape of `vscode.l10n.t`: projections say their words through it and need no editor for that. */
export type Translate = (message: string, ...values: (string | number)[]) => string;

export const plainEnglish: Translate = (message, ...values) =>
  message.replace(/\{(\d+)\}/g, (_, at: string) => String(values[Number(at)] ?? ""));
