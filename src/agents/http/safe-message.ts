import { createRedactor } from '../../text/redact.ts'

/**
 * Returns a function that removes secrets from a vendor's message: the key in any encoding, and the user, password and query
 * of addresses. The trial redacts again, but this also covers messages that are never journaled.
 */
export function messageCleaner(keyVariable: string, key: string | undefined): (message: string) => string {
  const redactor = key === undefined ? undefined : createRedactor([{ name: keyVariable, value: key }])
  return (message) => {
    const addressed = message.replace(address, (_, scheme: string, host: string) => `${scheme}${host}`)
    return redactor?.cut(addressed) ?? addressed
  }
}

const address = /\b(https?:\/\/)(?:[^\s/@"']*@)?([^\s?#"']*)(?:[?#][^\s"']*)?/g
