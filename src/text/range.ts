/** A piece of a text, in UTF-16 units. */
export interface Range {
  start: number;
  end: number;
}
