import type { Importer } from '../../imports/foreign-trial.ts'
import { formatOf, formats } from '../../imports/registry.ts'
import type { Tokens } from '../../schema/tokens.ts'
import { readJsonObjects } from '../../suites/files/read-json-lines.ts'
import { UserError } from '../../text/errors.ts'
import { withNear } from '../../text/near-word.ts'
import { shellWord } from '../../text/shell-word.ts'

/**
 * Returns a reader of files with replies: results that bench import reads, else lines of replies. Of results with several agents, such as the
 * prompts of promptfoo, only those of `agent` are read; without it they are refused. What repeats a task is a further sample.
 */
export function openReplyReader(agent: string | undefined) {
  const taken = new Map<string, Set<number>>()
  return async function* read(path: string): ReturnType<typeof readJsonObjects> {
    const format = await formatOf(path)
    if (format === undefined) {
      yield* readJsonObjects(path)
      return
    }
    const importer: Importer = formats[format]
    const agents = new Set<string | null>()
    let line = 0
    for await (const found of importer.read(path, { noteVersion: () => {} })) {
      line++
      if ('problem' in found) yield { where: found.problem.where, line, problems: [found.problem] }
      if (!('trial' in found) || !found.trial.reply) continue
      const { where, agent: own, task, suite, content, model, epoch, tokens, reply } = found.trial
      agents.add(own)
      if (agent === undefined && agents.size > 1) throw severalAgents(path, [...agents])
      if (agent !== undefined && own !== agent) continue
      const sample = freeSample(taken, JSON.stringify([model, suite, task, content]), epoch ?? 1)
      const { text, prompt, finish } = reply
      const data = { task, sample, reply: text, prompt, usage: usageOf(tokens), finish_reason: finish, model }
      yield { where, line, data }
    }
    if (agent !== undefined && !agents.has(agent)) throw noAgent(path, agent, [...agents])
  }
}

function freeSample(taken: Map<string, Set<number>>, task: string, wanted: number): number {
  const samples = taken.get(task) ?? new Set<number>()
  taken.set(task, samples)
  let sample = wanted
  while (samples.has(sample)) sample++
  samples.add(sample)
  return sample
}

/** Tokens in the words of OpenAI, in which the input counts what was cached. */
function usageOf({ input, output, cached, cacheWrite }: Tokens): Record<string, unknown> | null {
  if (input === null || output === null) return null
  return {
    ...{ prompt_tokens: input, completion_tokens: output },
    prompt_tokens_details: {
      ...(cached !== null && { cached_tokens: cached }),
      ...(cacheWrite !== undefined && { cache_write_tokens: cacheWrite }),
    },
  }
}

const severalAgents = (path: string, [first, second]: readonly (string | null)[]) =>
  new UserError({
    where: path,
    what: `has replies to several prompts or agents: ${first ?? 'no name'}, ${second ?? 'no name'}`,
    fix: `--agent ${shellWord(first ?? second ?? '')} takes those of one.`,
  })

const noAgent = (path: string, agent: string, known: readonly (string | null)[]) => {
  const names = known.flatMap((name) => name ?? [])
  return new UserError({
    where: `${path} --agent ${agent}`,
    what: 'gave no reply in this file',
    fix: withNear(agent, names, names.length > 0 ? `Known: ${names.join(', ')}.` : 'Leave it out.'),
  })
}
