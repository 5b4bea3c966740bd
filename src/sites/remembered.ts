interface Known<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value in `known` for a key. If there is none, makes one with `make` and stores it. */
export function remembered<Key, Value extends NonNullable<unknown> | null>(
  known: Known<Key, Value>,
  key: Key,
  make: () => Value,
): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}
