import type { ModelAddress } from './family.ts'
import { onSameServer } from './same-server.ts'

/** What every vendor's library is told. */
export const settingsOf = ({ baseUrl, key }: ModelAddress) => ({
  baseURL: baseUrl,
  fetch: onSameServer(fetch),
  ...(key !== undefined && { apiKey: key }),
})
