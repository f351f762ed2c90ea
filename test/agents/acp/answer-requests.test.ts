import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { answerRequests } from '../../../src/agents/acp/answer-requests.ts'
import { acpAgent, acpProgram } from '../../helpers/agents/acp-agents.ts'
import { ask, trial } from '../cli/cli-trial.ts'

const program = acpProgram()

/** The answer to a request for permission of an agent in a sandbox or without one; undefined if it was cancelled. */
async function answerTo(contained: boolean, offered: readonly string[]): Promise<string | undefined> {
  type Answer = (request: { params: unknown }) => { outcome: { optionId?: string } }
  const answers = new Map<string, Answer>()
  const app = {
    onRequest(method: string, answer: Answer) {
      answers.set(method, answer)
      return app
    },
  }
  const refuse = (message: string) => new Error(message)
  const grants = { cwd: '/w', workspace: '/w', contained, refuse, isOwn: () => true }
  answerRequests(app as unknown as Parameters<typeof answerRequests>[0], grants)
  const options = offered.map((kind) => ({ optionId: kind, name: kind, kind }))
  const params = { sessionId: 's', options, toolCall: { toolCallId: 't', kind: 'execute' } }
  return answers.get('session/request_permission')?.({ params }).outcome.optionId
}

it.each<[contained: boolean, offered: string[], answer: string | undefined]>([
  [true, ['allow_always', 'allow_once', 'reject_once'], 'allow_once'],
  [true, ['reject_always', 'allow_always'], 'allow_always'],
  [true, ['reject_once'], 'reject_once'],
  [true, ['reject_always'], 'reject_always'],
  [true, [], undefined],
  [false, ['allow_once', 'reject_once'], 'reject_once'],
  [false, ['reject_once'], 'reject_once'],
  [false, ['allow_once', 'reject_always'], 'reject_always'],
  [false, ['allow_once'], undefined],
])(
  'a request for permission (in a sandbox: %s) that offers %o is answered by %s',
  async (contained, offered, answer) => {
    expect(await answerTo(contained, offered)).toBe(answer)
  },
)

it('an agent that offers only to reject what it may not do hears that it is rejected', async () => {
  const { request } = trial()
  const prompt = '[permission execute CWD/a.txt reject_once]'
  expect((await ask(await acpAgent([program]), request({ prompt }))).text).toBe('reject_once')
})

it.each(['fs/read_text_file', 'fs/write_text_file', 'session/request_permission'])(
  '%s for a session that is not that of the call is refused',
  async (method) => {
    const { request, workspace } = trial()
    if (method === 'fs/read_text_file') writeFileSync(join(workspace, 'a.txt'), 'content')
    const { text } = await ask(await acpAgent([program]), request({ prompt: `[foreign ${method}]` }))
    expect(text).toMatch(/^refused: .*it names another session than that of this call/)
    const file = join(workspace, 'a.txt')
    expect(existsSync(file) && readFileSync(file, 'utf8')).toBe(
      method === 'fs/read_text_file' ? 'content' : false,
    )
  },
)
