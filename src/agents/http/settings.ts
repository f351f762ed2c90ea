import type { ModelAddress } from './family.ts'
import { post } from './post.ts'

/** What every vendor's library is told. */
export const settingsOf = ({ baseUrl, key }: ModelAddress) => ({
  baseURL: baseUrl,
  fetch: post,
  ...(key !== undefined && { apiKey: key }),
})
