import { describe, expect, it } from 'vitest'
import { messageCleaner, publicAddress } from '../../../src/agents/http/address.ts'
import { anthropic } from '../../../src/agents/http/anthropic.ts'
import { endpointOf } from '../../../src/agents/http/endpoint.ts'
import { google } from '../../../src/agents/http/google.ts'
import { openaiCompatible } from '../../../src/agents/http/openai-compatible.ts'

describe('the endpoint of a vendor', () => {
  it('is the vendor’s own address with the first key in the environment', () => {
    expect(endpointOf(google, {}, { GOOGLE_GENERATIVE_AI_API_KEY: ' k ' })).toEqual({
      baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
      key: 'k',
      keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
      problems: [],
    })
  })

  it('is another address from the environment or the settings, with the version that the vendor’s tools leave out', () => {
    const environment = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1/' }
    expect(endpointOf(anthropic, {}, environment).baseUrl).toBe('http://127.0.0.1:1/v1')
    expect(endpointOf(anthropic, { baseUrl: 'http://other/v1' }, environment).baseUrl).toBe('http://other/v1')
  })

  it('must be set for a self-hosted server, whose key may be missing unless one is named', () => {
    const { problems } = endpointOf(openaiCompatible, {}, {})
    expect(problems.map(({ what }) => what)).toEqual(['OPENAI_COMPATIBLE_BASE_URL is not set'])
    const named = endpointOf(
      openaiCompatible,
      { baseUrl: 'http://h/v1', keyVariable: 'OPENROUTER_API_KEY' },
      {},
    )
    expect(named.problems.map(({ what }) => what)).toEqual(['OPENROUTER_API_KEY is not set'])
  })

  it.each(['not an address', 'file:///etc/passwd'])('is refused if it is %s', (baseUrl) => {
    const problemsOf = (...[settings, environment]: [{ baseUrl?: string }, Record<string, string>]) =>
      endpointOf(openaiCompatible, settings, environment).problems.map(({ what }) => what)
    expect(problemsOf({ baseUrl }, {})).toEqual(['baseUrl is not a web address'])
    const environment = { OPENAI_COMPATIBLE_BASE_URL: baseUrl }
    expect(problemsOf({}, environment)).toEqual(['OPENAI_COMPATIBLE_BASE_URL is not a web address'])
  })

  it('is shown without user, password and query', () => {
    expect(publicAddress('https://me:secret@host:8443/v1/?key=abc')).toBe('https://host:8443/v1')
  })
})

describe('a vendor’s message', () => {
  it('is shown without the key in any encoding and without secrets in addresses', () => {
    const key = 'sk-abc/def+ghi=12345'
    const clean = messageCleaner('SOME_KEY', key)
    const cleaned = clean(`${key}, ${encodeURIComponent(key)}, http://u:p@host/path?token=xyz#f plain`)
    expect(cleaned).toBe('[redacted SOME_KEY], [redacted SOME_KEY], http://host/path plain')
  })
})
