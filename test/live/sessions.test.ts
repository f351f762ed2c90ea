import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../helpers/machine/temp.ts'
import { asksOf, root } from '../helpers/runs/cli.ts'
import { families, programs } from './clients.ts'
import { counted, liveArgs, liveSetting, logByTrial, patience, runLive, tokensOf } from './live-run.ts'

const method = `
import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
const session = 's'
export default defineStrategy({
  name: 'talk',
  summary: 'One session, asked twice, and once more in each of two branches.',
  roles: { solver: 'decide' },
  options: z.object({}),
  async run({ ask, branch }) {
    await ask('solver', 'Say one.', { session })
    await ask('solver', 'Say two.', { session })
    const next = (word) => branch(word, ({ ask }) => ask('solver', 'Say ' + word + '.', { session }))
    const [left, right] = await Promise.all([next('left'), next('right')])
    return { answer: left + right, stopReason: 'done' }
  },
})
`

const words = ['one', 'two', 'left', 'right']

it.each([...programs, ...families])(
  '$agent knows earlier turns of its session, in branches too, and counts each call alone',
  async ({ agent }) => {
    const file = join(tempFolder(), 'talk.mjs')
    writeFileSync(file, method)
    // The word that is asked for last in a conversation, in capitals.
    const setting = await liveSetting(({ messages }) => {
      const asked = messages.map(({ text }) => text).join('\n')
      const places = words.map((word) => [asked.lastIndexOf(`Say ${word}.`), word] as const)
      return { text: places.sort(([a], [b]) => b - a)[0]?.[1].toUpperCase() ?? '' }
    })
    await runLive(setting, liveArgs(setting.folder, agent, 'ferry-morning', file))

    const byPrompt = (prompt: string) => asksOf(setting.folder).filter((ask) => ask.prompt === prompt)
    const asks = words.flatMap((word) => byPrompt(`Say ${word}.`))
    expect(asks.map(({ reply }) => reply)).toEqual(['ONE', 'TWO', 'LEFT', 'RIGHT'])
    const isProgram = agent.includes('-cli:')
    if (isProgram)
      expect(asks.map(({ continued }) => continued)).toEqual([undefined, 'resumed', 'retold', 'retold'])

    const log = [...logByTrial(setting).values()].flat()
    expect(log).toHaveLength(4)
    for (const [i, ask] of asks.entries()) {
      const request = log.find(({ body }) => JSON.stringify(body).includes(`Say ${words[i]}.`))
      expect(tokensOf(ask), ask.prompt).toEqual(request && counted(request))
      const sent = JSON.stringify(request?.body)
      const before = i < 2 ? words.slice(0, i) : ['one', 'two']
      for (const word of before) expect(sent).toMatch(new RegExp(`Say ${word}\\.[^]*${word.toUpperCase()}`))
      expect(words.filter((word) => sent.includes(`Say ${word}.`))).toEqual([...before, words[i]])
    }
  },
  patience,
)
