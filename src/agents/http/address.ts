/** Returns an address as messages may show it: without user, password, query and fragment. */
export function publicAddress(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`
}
