
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { choice, exact, numeric } from '/work/wt-b45answers/src/graders/answers.ts'
import { math } from '/work/wt-b45answers/src/graders/mathematics/math.ts'
import { withoutThoughts } from '/work/wt-b45answers/src/replies/thoughts.ts'
import { cleanText } from '/work/wt-b45answers/src/replies/clean-data.ts'
const graders: any = { choice, exact, numeric, math }
const [, , input, output] = process.argv
const out = createWriteStream(output)
for await (const line of createInterface({ input: createReadStream(input) })) {
  const d = JSON.parse(line)
  const answer = withoutThoughts(cleanText(d.reply))
  let score: any
  const spec: any = { kind: d.kind, name: d.kind, options: d.options ?? undefined, tolerance: 0, ignoreCase: true, answer: d.expected, decimal: 'point' }
  try { score = await graders[d.kind]({ spec, answer, task: { ref: 'x', instruction: d.question, spec: {}, solution: { answer: d.expected, files: {'answer.txt': d.expected} }, }, run: null }) } catch (e) { score = { passed: null, reason: String(e) } }
  out.write(JSON.stringify({ c: d.corpus, id: d.id, label: d.label, passed: score.value === 1, reason: score.reason ?? score.notes ?? JSON.stringify(score) }) + '\n')
}
