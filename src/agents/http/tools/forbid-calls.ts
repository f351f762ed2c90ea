type Fetch = typeof globalThis.fetch

/**
 * Returns a `fetch` that forbids calls in requests to Anthropic. Its library leaves out the tools instead, and Anthropic refuses
 * calls in the history without them.
 */
export const forbidCalls =
  (send: Fetch): Fetch =>
  (input, init) => {
    const body = { ...(JSON.parse(String(init?.body)) as object), tool_choice: { type: 'none' } }
    return send(input, { ...init, body: JSON.stringify(body) })
  }
