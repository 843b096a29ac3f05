// A row of a tree view as plain data. The views turn rows into tree items and know nothing about runs.

/** What a row's answer is bound to: the run, its approval, and the digest of what the row showed. */
export interface RequestRef {
  readonly run: string;
  readonly id: string;
  readonly digest: string;
}

export interface Row {
  /** The same for the same thing, however it changes: expansion and selection hang on it. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** Says in words what label, description and icon show. */
  readonly accessibilityLabel: string;
  /** Codicon id; `~spin` turns. Empty: none. */
  readonly icon: string;
  /** Id of a theme colour. */
  readonly color: string | null;
  readonly collapsible: "none" | "collapsed" | "expanded";
  readonly contextValue: string;
  readonly children: readonly Row[];
  readonly run: string;
  readonly request: RequestRef | null;
  /** What a click on the row opens. */
  readonly opens: "run" | "review" | null;
}

type RowStart = Pick<Row, "id" | "run" | "label"> & Partial<Row>;

/** A row with everything that was not said left out; what it shows is also what it says. */
export function createRow(start: RowStart): Row {
  const { label, description = "", children = [] } = start;
  return {
    description,
    tooltip: description === "" ? label : `${label}\n${description}`,
    accessibilityLabel: description === "" ? label : `${label}, ${description}`,
    icon: "",
    color: null,
    collapsible: children.length === 0 ? "none" : "collapsed",
    contextValue: "",
    children,
    request: null,
    opens: null,
    ...start,
  };
}
