import { describe, expect, it } from 'vitest'
import { documentOf, problemsOf } from '../../helpers/graph/documents.ts'

const problems = (text: string) => problemsOf(text, {}, 'g.yaml')

describe('the address of a provider', () => {
  const at = (kind: string, url: string) =>
    problems(
      documentOf('- { id: a, task: make }').replace(
        'agents:',
        `providers: { p: { kind: ${kind}, config: { model: m, base_url: "${url}" } } }\nagents:`,
      ),
    )

  it.each(['http_remote', 'local_ollama'])(
    'may hold no password, since the plan and the run show it: %s',
    (kind) => {
      for (const user of ['name:secret', 'secret', ':secret']) {
        const found = at(kind, `http://${user}@127.0.0.1:8080/v1`)
        expect(found).toEqual([
          expect.stringContaining('config.base_url] has a user name or a password. Remove it;'),
        ])
        expect(found.join()).not.toContain('secret')
      }
    },
  )

  it('may hold no key in its query', () => {
    const found = at('http_remote', 'http://127.0.0.1:8080/v1?api_key=hunter2hunter2')
    expect(found).toEqual([expect.stringContaining('config.base_url] has a key. Remove it;')])
    expect(found.join()).not.toContain('hunter2')
    expect(at('http_remote', 'http://127.0.0.1:8080/v1?api-version=2024-10-21')).toEqual([])
  })

  it('may hold an @ after the host', () => {
    expect(at('http_remote', 'http://127.0.0.1:8080/a@b/v1')).toEqual([])
  })
})
