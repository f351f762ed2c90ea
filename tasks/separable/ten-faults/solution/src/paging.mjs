/**
 * Returns the items of a page and the number of pages. Pages count from 1 and have `size` items, the last one the rest. A page
 * below 1 is the first, one beyond the last is the last. An empty list has one page.
 */
export function pageOf(items, page, size) {
  const pages = Math.max(1, Math.ceil(items.length / size))
  const shown = Math.min(Math.max(1, page), pages)
  return { items: items.slice((shown - 1) * size, shown * size), pages }
}
