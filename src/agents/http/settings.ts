import type { ModelAddress } from './family.ts'
import { onSameServer } from './same-server.ts'

/** Returns the settings that every vendor's library gets: base URL, key, and a `fetch` that follows no redirect to another server. */
export const settingsOf = ({ baseUrl, key }: ModelAddress) => ({
  baseURL: baseUrl,
  fetch: onSameServer(fetch),
  ...(key !== undefined && { apiKey: key }),
})
