import type { ModelAddress } from './family.ts'
import { post } from './post.ts'
import { onSameServer } from './same-server.ts'

/** What every vendor's library is told. */
export const settingsOf = ({ baseUrl, key }: ModelAddress) => ({
  baseURL: baseUrl,
  fetch: onSameServer(post),
  ...(key !== undefined && { apiKey: key }),
})
