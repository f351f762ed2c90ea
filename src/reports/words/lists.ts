/** Returns the items that are there: `condition && item` leaves one out, and an empty text is none. */
export const present = <Item extends string | object>(
  items: readonly (Item | false | null | undefined | '')[],
): Item[] => items.filter((item): item is Item => Boolean(item))

/** Returns `A, B and C`. */
export const listed = (names: readonly string[]): string =>
  present([names.slice(0, -1).join(', '), names.at(-1)]).join(' and ')
