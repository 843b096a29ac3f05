// The rows of one view as the objects that the editor holds on to. A row that changes keeps its object, so that the
// editor can be told exactly what to draw again.
import type { Row } from "../projections/row";

export interface RowNode {
  row: Row;
  parent: RowNode | null;
  children: RowNode[];
}

/** Every object that a view of ours has given away: nothing else may stand for a row in a command. */
const handedOut = new WeakSet();

export const isOwnRow = (value: unknown): value is RowNode =>
  typeof value === "object" && value !== null && handedOut.has(value);

export class RowForest {
  roots: RowNode[] = [];

  /** Takes the new rows over. Answers what has to be drawn again, never a row inside another; `all`: the top level. */
  update(rows: readonly Row[]): "all" | readonly RowNode[] {
    const { nodes, changed, isSameList } = meet(this.roots, rows, null);
    this.roots = nodes;
    return isSameList ? changed : "all";
  }
}

interface Met {
  nodes: RowNode[];
  changed: RowNode[];
  /** The same rows in the same order, whatever they show. */
  isSameList: boolean;
}

function meet(old: readonly RowNode[], rows: readonly Row[], parent: RowNode | null): Met {
  const known = new Map(old.map((node) => [node.row.id, node]));
  const changed: RowNode[] = [];
  const nodes = rows.map((row) => {
    const node = known.get(row.id);
    if (node === undefined) return plant(row, parent);
    if (node.row !== row) changed.push(...meetRow(node, row));
    return node;
  });
  const isSameList = old.length === nodes.length && nodes.every((node, at) => node === old[at]);
  return { nodes, changed, isSameList };
}

function meetRow(node: RowNode, row: Row): readonly RowNode[] {
  const looksOther = !looksSame(node.row, row);
  const { nodes, changed, isSameList } = meet(node.children, row.children, node);
  node.row = row;
  node.children = nodes;
  return looksOther || !isSameList ? [node] : changed;
}

function plant(row: Row, parent: RowNode | null): RowNode {
  const node: RowNode = { row, parent, children: [] };
  handedOut.add(node);
  node.children = row.children.map((child) => plant(child, node));
  return node;
}

function looksSame(one: Row, other: Row): boolean {
  return (
    one.label === other.label &&
    one.description === other.description &&
    one.tooltip === other.tooltip &&
    one.accessibilityLabel === other.accessibilityLabel &&
    one.icon === other.icon &&
    one.color === other.color &&
    one.contextValue === other.contextValue &&
    one.collapsible === other.collapsible
  );
}
