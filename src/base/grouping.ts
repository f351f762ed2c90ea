/** Returns the value of a key; creates it the first time. */
export function valueAt<Key, Value>(values: Map<Key, Value>, key: Key, empty: () => Value): Value {
  const known = values.get(key)
  if (known !== undefined) return known
  const added = empty()
  values.set(key, added)
  return added
}

/** Groups items by a key, in the order of the first item of each. */
export function groupBy<Key, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
