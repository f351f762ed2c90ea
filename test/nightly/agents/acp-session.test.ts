import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask, trial } from '../../agents/cli/cli-trial.ts'
import { acpAgent, acpProgram } from '../../helpers/agents/acp-agents.ts'

const program = acpProgram()

it('a conversation of 200 turns stays one session of the agent, and sends each prompt once', async () => {
  const { request, home } = trial()
  const agent = await acpAgent([program, 'count'])
  const turns: { prompt: string; reply: string }[] = []
  for (let turn = 1; turn <= 200; turn++) {
    const prompt = 'x'.repeat(turn)
    const reply = await ask(agent, request({ session: 'work', role: 'solver', turns: [...turns], prompt }))
    if (turn > 1) expect(reply).toMatchObject({ text: String(turn), continued: 'resumed' })
    turns.push({ prompt, reply: reply.text })
  }
  const sessions = readFileSync(join(home, 'sessions'), 'utf8').trim().split('\n')
  expect([sessions.length, new Set(sessions).size]).toEqual([200, 1])
})
