import type { ModelAddress } from './family.ts'
import { onSameServer } from './same-server.ts'

/** Returns the settings that every vendor's library gets: base URL, key, and a `fetch` that follows no redirect to another server. */
export const settingsOf = ({ baseUrl, key, send = fetch }: ModelAddress) => ({
  baseURL: baseUrl,
  fetch: onSameServer(send),
  ...(key !== undefined && { apiKey: key }),
})
