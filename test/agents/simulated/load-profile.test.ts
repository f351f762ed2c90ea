import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadProfile, parseProfile, profileNames } from '../../../src/agents/simulated/load-profile.ts'
import { packageRoot } from '../../../src/base/package-root.ts'
import { UserError } from '../../../src/text/errors.ts'

const folder = mkdtempSync(join(tmpdir(), 'profile-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const shipped = readFileSync(join(packageRoot(), 'fixtures', 'profiles', 'default.yaml'), 'utf8')

function problemsOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
  throw new Error('nothing was wrong')
}

describe('behaviour profiles', () => {
  it.each(profileNames())('%s comes with the package, under its own id', (name) => {
    expect(loadProfile(name)).toMatchObject({ id: name, version: 1 })
  })

  it('include "null", without an effect of method, feedback or context', () => {
    expect(loadProfile('null')).toMatchObject({
      interaction: 0,
      effects: {},
      feedback: { gain: 0 },
      context: { lossPerThousand: 0 },
    })
  })

  it('are read from a path as well', () => {
    const path = join(folder, 'mine.yaml')
    writeFileSync(path, shipped.replace('id: default', 'id: mine'))
    expect(loadProfile(path).id).toBe('mine')
  })

  it('report an unknown name with a suggestion', () => {
    expect(problemsOf(() => loadProfile('defualt'))).toBe(
      `[profile defualt] there is no profile with this name. Did you mean "default"? Known: ${profileNames().join(', ')}; or give the path of a .yaml file.`,
    )
    expect(problemsOf(() => loadProfile('./none.yaml'))).toContain('there is no such file')
  })

  it('report all problems of a file together, each with its line', () => {
    const broken = shipped
      .replace('correlation: 0.3', 'correlation: 3')
      .replace('feedback: { gain', 'feedback: { gane: 1, gain')
      .replace('regression: 0.04\n', '')
      .replace('failures: {', 'failures: { bored: 0.1,')
    const line = (text: string) => broken.split('\n').findIndex((one) => one.includes(text)) + 1
    const problems = problemsOf(() => parseProfile(broken, 'my.yaml')).split('\n')
    expect(problems).toHaveLength(4)
    expect(problems).toEqual(
      expect.arrayContaining([
        `[my.yaml:${line('correlation')} correlation] must be at most 1.`,
        `[my.yaml:${line('gane')} feedback.gane] is not a known field. Did you mean gain?`,
        '[my.yaml:1 regression] is missing. Write `regression:` and a number.',
        expect.stringContaining(
          `[my.yaml:${line('bored')} failures.bored] is not a known field. Use one of `,
        ),
      ]),
    )
  })

  it('report failure rates with a sum above 1', () => {
    const broken = shipped.replace(/^failures: .*$/m, 'failures: { empty: 0.6, server: 0.6 }')
    expect(problemsOf(() => parseProfile(broken, 'my.yaml'))).toMatch(/failures\] must add up to at most 1/)
  })

  it('report invalid YAML with its line', () => {
    expect(problemsOf(() => parseProfile('id: x\nskills: {\n', 'my.yaml'))).toMatch(
      /^\[my\.yaml:[23]\] is not valid YAML: /,
    )
  })
})
