import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { PastAsk } from '../../../src/agents/agent.ts'
import { loadProfile, parseProfile, profileNames } from '../../../src/agents/simulated/load-profile.ts'
import { createSimulated } from '../../../src/agents/simulated/simulated.ts'
import { packageRoot } from '../../../src/base/package-root.ts'
import { UserError } from '../../../src/text/errors.ts'
import { estimateTokens } from '../../../src/text/token-estimate.ts'
import { loopRoles, type Wanted } from '../../helpers/agents/agent-request.ts'
import {
  Audit,
  answer,
  ask,
  code,
  expectShare,
  judgement,
  profileOf,
  shapeOf,
  simulated,
  tasks,
  trySubmission,
} from '../../helpers/agents/simulated-agent.ts'

describe('a simulated bill', () => {
  it('counts the latest twenty turns of a session as input', async () => {
    const turns = (count: number) => Array(count).fill({ prompt: 'p'.repeat(40), reply: 'r'.repeat(80) })
    const inputs = [0, 3, 50].map(async (count) => {
      const request = { prompt: 'x'.repeat(400), session: 's', turns: turns(count) }
      return (await ask(simulated({}), request)).tokens.input
    })
    expect(await Promise.all(inputs)).toEqual([100, 100 + 3 * 30, 100 + 20 * 30])
  })

  it("counts the prompt as input, the text and the reasoning as output, at the profile's prices", async () => {
    const agent = simulated({ reasoningShare: 0.25, price: { input: 3, output: 15, cached: 0 } })
    for (const task of [answer, code]) {
      const { text, tokens, costUsd, durationMs } = await ask(
        agent,
        { prompt: 'x'.repeat(400), system: 'y'.repeat(40) },
        task,
      )
      const output = tokens.output as number
      expect(tokens).toEqual({ input: 110, output, cached: 0 })
      expect(Math.abs(output - estimateTokens(text) / 0.75)).toBeLessThanOrEqual(1)
      expect(costUsd).toBeCloseTo((110 * 3 + output * 15) / 1e6, 9)
      expect(durationMs).toBe(1_000 + 10 * output)
    }
  })

  it('draws log-normal sizes', async () => {
    const agent = simulated({ output: { ...profileOf().output, produce: { median: 1_000, spread: 0.5 } } })
    await expectShare(0.5, agent, ({ tokens }) => (tokens.output as number) < 1_000)
    await expectShare(0.8413, agent, ({ tokens }) => (tokens.output as number) < 1_000 * Math.exp(0.5))
  })

  it('has the output so far for a reply that times out', async () => {
    const output = { ...profileOf().output, produce: { median: 1_000, spread: 0 } }
    const reply = await ask(simulated({ output }), { timeoutMs: 5_500 })
    expect(reply).toMatchObject({
      text: '',
      durationMs: 5_500,
      tokens: { output: 500 },
      error: { reason: 'timeout' },
    })
    expect((await ask(simulated({ output }), { timeoutMs: 11_000 })).error).toBeUndefined()
  })

  it('cuts a reply at the output limit', async () => {
    const reply = await ask(simulated({ reasoningShare: 0 }), { maxOutput: 20 }, code)
    expect(reply.tokens.output).toBe(20)
    expect(estimateTokens(reply.text)).toBeLessThanOrEqual(20)
  })

  it('has failures at the profile’s rate and counts only what reached the model', async () => {
    const agent = simulated({ failures: { server: 0.2, empty: 0.1 } })
    await expectShare(0.2, agent, ({ error }) => error?.reason === 'server')
    await expectShare(0.1, agent, ({ error }) => error?.reason === 'empty')
    expect(await ask(simulated({ failures: { server: 1 } }), {})).toMatchObject({
      text: '',
      costUsd: 0,
      tokens: { input: 0, output: 0 },
    })
    expect((await ask(simulated({ failures: { refusal: 1 } }), {})).tokens.input).toBeGreaterThan(0)
    const small = simulated({ context: { threshold: 0, lossPerThousand: 0, limit: 100 } })
    expect((await ask(small, { prompt: 'x'.repeat(1_000) })).error?.reason).toBe('context-overflow')
  })
})

describe('a workload of known sizes', () => {
  const warnings: string[] = []
  const profile = loadProfile('adc-workload')
  const agent = createSimulated({
    profile,
    tasks,
    trySubmission,
    onWarning: (message) => warnings.push(message),
  })
  const sizes = async (
    role: keyof typeof loopRoles | 'orchestrator' | 'helper',
    work: Wanted['work'],
    prompt = 'x'.repeat(400),
  ) => {
    const reply = await ask(agent, {
      role,
      work: work as never,
      prompt,
      roles: { orchestrator: 'decide', ...loopRoles },
    })
    return [reply.tokens.input, reply.tokens.output, estimateTokens(reply.text), reply.costUsd]
  }

  it('bills each role its size, with texts of that size', async () => {
    expect(await sizes('contract-writer', 'decide')).toEqual([100_000, 100_000, 100_000, 0.132])
    expect(await sizes('code-generator', 'produce')).toEqual([260_000, 40_000, 40_000, 0.198])
    expect(await sizes('summarizer', 'summarise', 'In at most 10000 tokens')).toEqual([
      0, 10_000, 10_000, 0.0066,
    ])
  })

  it('measures a role without a size and warns of it once', async () => {
    expect((await sizes('orchestrator', 'decide')).slice(0, 2)).toEqual([100, 100])
    expect(warnings).toEqual([])
    expect((await sizes('helper', 'decide')).slice(0, 2)).toEqual([100, 100])
    await sizes('helper', 'decide')
    expect(warnings).toMatchSnapshot()
  })

  it('approves a round after three submissions and the whole after the epoch’s rounds', async () => {
    const past = (role: 'auditor' | 'code-generator' | 'evaluator'): PastAsk => ({
      role,
      work: loopRoles[role],
    })
    const compliance = async (history: PastAsk[]) =>
      (
        JSON.parse((await ask(agent, { ...judgement, schema: shapeOf(Audit), history })).text) as {
          compliance: number
        }
      ).compliance
    const round = [1, 2, 3].flatMap(() => [past('auditor'), past('code-generator')])
    expect(await compliance([])).toBe(0)
    expect(await compliance(round.slice(0, 2))).toBe(0.25)
    expect(await compliance(round)).toBe(1)
    const second = [...round, past('auditor'), past('evaluator')]
    expect(await compliance(second)).toBe(0)
    expect(await compliance([...second, ...round])).toBe(1)

    const satisfied = async (epoch: number, history: PastAsk[]) => {
      const wanted = {
        role: 'evaluator',
        work: 'judge',
        schema: shapeOf(z.object({ ok: z.boolean() })),
        history,
        trial: { epoch },
      } as const
      return (JSON.parse((await ask(agent, wanted)).text) as { ok: boolean }).ok
    }
    const rounds = [round, [...round, ...round], [...round, ...round, ...round]]
    for (const [i, expected] of [
      [true, true, true],
      [false, true, true],
      [false, false, true],
    ].entries()) {
      expect(await Promise.all(rounds.map((history) => satisfied(i + 1, history)))).toEqual(expected)
      expect(await satisfied(i + 4, rounds[0] as PastAsk[])).toBe(i === 0)
    }
  })
})

describe('load profile', () => {
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
})
