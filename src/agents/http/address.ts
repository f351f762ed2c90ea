/** Returns an address as messages may show it: without user, password, query and fragment. */
export function publicAddress(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`
}

/** Whether a text is an address with the scheme http or https. */
export const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)

/** What is wrong with any other text, and the remedy. */
export const notWebAddress = { what: 'is not a web address', fix: 'Write it like https://host/v1.' }
