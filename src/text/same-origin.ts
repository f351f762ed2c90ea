/** Whether two addresses share scheme, host and port. One server answers there and gets the key, whatever the path. */
export function isSameOrigin(one: string | undefined, other: string): boolean {
  if (one === undefined || !URL.canParse(one) || !URL.canParse(other)) return false
  return new URL(one).origin === new URL(other).origin
}
