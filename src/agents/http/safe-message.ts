import { createRedactor } from '../../text/redact.ts'

/**
 * Takes out of a vendor's words what must stand in no file: the key in any encoding, and of addresses the user, the
 * password and the query. The door redacts again; a message that is never journaled is clean all the same.
 */
export function messageCleaner(keyVariable: string, key: string | undefined): (message: string) => string {
  const redactor = key === undefined ? undefined : createRedactor([{ name: keyVariable, value: key }])
  return (message) => {
    const addressed = message.replace(address, (_, scheme: string, host: string) => `${scheme}${host}`)
    return redactor?.cut(addressed) ?? addressed
  }
}

const address = /\b(https?:\/\/)(?:[^\s/@"']*@)?([^\s?#"']*)(?:[?#][^\s"']*)?/g
