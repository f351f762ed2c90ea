import type { ModelAddress } from './family.ts'

/** Returns the settings that every vendor's library gets: base URL, key, and the `fetch` of the call. */
export const settingsOf = ({ baseUrl, key, fetch }: ModelAddress) => ({
  baseURL: baseUrl,
  fetch,
  ...(key !== undefined && { apiKey: key }),
})
