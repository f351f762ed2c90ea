/** Whether two addresses share scheme, host and port. One server answers there and gets the key, whatever the path. */
export function isSameOrigin(one: string | undefined, other: string): boolean {
  if (one === undefined || !URL.canParse(one) || !URL.canParse(other)) return false
  return new URL(one).origin === new URL(other).origin
}

/** Returns an address as messages may show it: without user, password, query and fragment. */
export function publicAddress(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`
}
