import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cliKinds } from '../../../src/agents/cli/kinds.ts'
import { messageCleaner, publicAddress } from '../../../src/agents/http/address.ts'
import { anthropic } from '../../../src/agents/http/anthropic.ts'
import { endpointOf } from '../../../src/agents/http/endpoint.ts'
import { families } from '../../../src/agents/http/families.ts'
import { serverOfKey } from '../../../src/agents/http/find-key.ts'
import { google } from '../../../src/agents/http/google.ts'
import { openaiCompatible } from '../../../src/agents/http/openai-compatible.ts'
import { agentSyntax, providers } from '../../../src/agents/registry.ts'
import type { Server, Vendor } from '../../../src/agents/vendor.ts'
import { packageRoot } from '../../../src/base/package-root.ts'
import { isSameOrigin } from '../../../src/text/same-origin.ts'

describe('the endpoint of a vendor', () => {
  it('is the vendor’s own address with the first key in the environment', () => {
    expect(endpointOf(google, {}, { GOOGLE_GENERATIVE_AI_API_KEY: ' k ' })).toMatchSnapshot()
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

  it('is refused with a user or a password, wherever it is set, and neither is shown', () => {
    const baseUrl = 'http://me:hunter2hunter2@127.0.0.1:1/v1'
    for (const [settings, environment] of [
      [{ baseUrl }, {}],
      [{}, { OPENAI_COMPATIBLE_BASE_URL: baseUrl }],
    ] as const) {
      const { problems } = endpointOf(openaiCompatible, settings, environment)
      expect(problems.map(({ what }) => what)).toEqual([
        expect.stringMatching(/^(?:baseUrl|OPENAI_COMPATIBLE_BASE_URL) has a user or password, with which/),
      ])
      expect(JSON.stringify(problems)).not.toContain('hunter2')
    }
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

const vendors: readonly Vendor[] = [...families, ...cliKinds]
const serversOf = (vendor: Vendor): Server[] => [vendor.instead, vendor].filter((one) => one !== undefined)

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const code = (text: string) => `\`${text}\``

/** The rows that the guide must hold: agent, variables of the key, address. */
const expected = providers.flatMap((provider) => {
  const { name, settings, needsProgram, namesProgram } = provider
  if (!settings) return []
  const agent = code(agentSyntax(provider))
  if (name === 'ollama') return [row([agent, 'none', '`OLLAMA_HOST`, else `http://127.0.0.1:11434`'])]
  if (needsProgram) return [row([agent, '`keyVariable` of the config file', '`baseUrl` of the config file'])]
  const same = ['as the CLI of the same vendor', 'the same']
  if (namesProgram)
    return [
      row([
        agent,
        ...['keyVariable', 'baseUrl'].map((one, i) => `${same[i]}, or \`${one}\` of the config file`),
      ]),
    ]
  const vendor = vendors.find((one) => one.name === name) as Vendor
  return serversOf(vendor).map(({ keyVariables, baseUrlVariable, baseUrl }) => {
    const addresses = [baseUrlVariable, baseUrl].filter((one) => one !== undefined).map(code)
    const keys = keyVariables.map(code).join(' or ') + (vendor.keyOptional ? ', if the server wants one' : '')
    return row([agent, keys, addresses.join(', else ')])
  })
})

describe('the table of keys and addresses in docs/guides/providers.md', () => {
  it('has a row for each server in the code, in its order, and no other', () => {
    const guide = readFileSync(join(packageRoot(), 'docs/guides/providers.md'), 'utf8')
    const [, table = ''] = guide.split('| `--agents` | key | goes only to |\n| --- | --- | --- |\n')
    expect(
      table.slice(0, table.indexOf('\n\n')).split('\n'),
      'docs/guides/providers.md lacks the rows marked -; no registered provider has the rows marked +',
    ).toEqual(expected)
  })

  it.each(vendors.map((vendor) => [vendor.name, vendor] as const))(
    'can show a key and a web address of %s',
    (_, vendor) => {
      for (const { keyVariables, baseUrl } of serversOf(vendor)) {
        expect(keyVariables.join(), 'keyVariables names no variable').not.toBe('')
        expect(baseUrl ?? 'https://', 'baseUrl is not a web address like https://host/v1').toMatch(
          /^https?:\/\//,
        )
      }
    },
  )

  it.each(vendors.map((vendor) => [vendor.name, vendor] as const))(
    'agrees with the code of %s',
    (_, vendor) => {
      for (const server of serversOf(vendor))
        for (const variable of server.keyVariables) {
          const owner = serverOfKey(variable)
          expect(owner?.baseUrlVariable).toBe(server.baseUrlVariable)
          if (server.baseUrl !== undefined) expect(isSameOrigin(owner?.baseUrl, server.baseUrl)).toBe(true)
          const fake = {
            [variable]: 'a-key',
            [server.baseUrlVariable ?? '']: server.baseUrl ?? 'http://h/v1',
          }
          expect(endpointOf(vendor, {}, fake)).toMatchObject({
            key: 'a-key',
            keyVariable: variable,
            problems: [],
          })
        }
    },
  )
})

describe('a key for an address that no test can reach', () => {
  const [qwen, opencode] = ['qwen-cli', 'opencode-cli'].map(
    (name) => vendors.find((vendor) => vendor.name === name) as Vendor,
  ) as [Vendor, Vendor]
  const others = { OPENAI_API_KEY: 'o', OPENAI_COMPATIBLE_API_KEY: 'c', ANTHROPIC_API_KEY: 'a' }

  it('is DashScope’s own: qwen-cli is missing it if only other keys are set', () => {
    const { key, problems } = endpointOf(qwen, {}, others)
    expect(key).toBeUndefined()
    expect(problems.map(({ what, fix }) => `${what}. ${fix}`)).toMatchSnapshot()
    expect(endpointOf(qwen, {}, { ...others, DASHSCOPE_API_KEY: 'd' })).toMatchObject({
      key: 'd',
      problems: [],
    })
  })

  it('is never DashScope’s at another server', () => {
    const environment = { DASHSCOPE_API_KEY: 'd', OPENAI_COMPATIBLE_BASE_URL: 'http://h/v1' }
    expect(endpointOf(qwen, {}, environment)).toMatchObject({
      key: undefined,
      problems: [{ what: 'OPENAI_COMPATIBLE_API_KEY is not set', fix: expect.stringContaining('unset') }],
    })
    const named = endpointOf(qwen, { keyVariable: 'DASHSCOPE_API_KEY' }, environment)
    expect(named).toMatchObject({ key: 'd', baseUrl: qwen.baseUrl, problems: [] })
  })

  it('is OpenAI’s own: opencode-cli is missing it if only other keys are set', () => {
    const { OPENAI_API_KEY: _, ...rest } = others
    expect(endpointOf(opencode, {}, rest)).toMatchObject({
      key: undefined,
      problems: [{ what: 'OPENAI_API_KEY is not set' }],
    })
    expect(endpointOf(opencode, {}, others)).toMatchObject({ key: 'o', baseUrl: 'https://api.openai.com/v1' })
  })

  it.each([
    ['http instead of https', 'http://api.anthropic.com/v1'],
    ['a host that ends like it', 'https://api.anthropic.com.example.org/v1'],
    ['a host that begins like it', 'https://evil-api.anthropic.com/v1'],
    ['a user that looks like a host', 'https://api.anthropic.com@example.org/v1'],
    ['another port', 'https://api.anthropic.com:8443/v1'],
  ])('is not sent to %s', (_, baseUrl) => {
    const anthropic = vendors.find(({ name }) => name === 'anthropic') as Vendor
    const { key, problems } = endpointOf(anthropic, { baseUrl }, { ANTHROPIC_API_KEY: 'a' })
    expect(key).toBeUndefined()
    expect(problems[0]?.fix).toContain('keyVariable')
    const own = { baseUrl: 'https://API.anthropic.com:443/v1' }
    expect(endpointOf(anthropic, own, { ANTHROPIC_API_KEY: 'a' }).key).toBe('a')
  })
})
