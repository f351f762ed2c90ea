import { existsSync } from 'node:fs'
import { planDot } from '../reports/drawing/dot.ts'
import { planMermaid } from '../reports/drawing/mermaid.ts'
import { planText } from '../reports/drawing/plan-text.ts'
import { graphJsonSchema } from '../schema/graph/document.ts'
import type { GraphPlan } from '../schema/graph/plan.ts'
import type { Documents } from '../strategy.ts'
import { canonicalJson } from '../text/canonical-json.ts'
import { type Problem, problemAt, UserError } from '../text/errors.ts'
import { didYouMean } from '../text/near-word.ts'
import { choosePlan, splitWorkflow } from '../workflows/graph/choose-plan.ts'
import { folderAgentProblem } from './config/agent-names.ts'
import { documentsFor, readDocumentFile } from './methods/documents.ts'
import { documentPowers } from './trust/document-powers.ts'
import { takenText } from './trust/powers.ts'

interface PlanOptions {
  format?: string
  json?: boolean
  schema?: boolean
}

const formats: Readonly<Record<string, (plan: GraphPlan) => string>> = {
  text: planText,
  json: (plan) => `${canonicalJson(plan)}\n`,
  mermaid: planMermaid,
  dot: planDot,
}

/** `bench plan FILE[#WORKFLOW]`: prints the plan of a graph document. `bench plan --schema` prints the JSON Schema of documents. */
export default async function plan(text: string | undefined, options: PlanOptions): Promise<number> {
  const { format = options.json || options.schema ? 'json' : 'text', schema = false } = options
  const problems = optionProblems(text, format, options)
  if (problems.length > 0) throw new UserError(problems)
  if (schema) process.stdout.write(`${JSON.stringify(graphJsonSchema(), null, 2)}\n`)
  else {
    const { plan, takes } = readPlan(text ?? '')
    process.stdout.write(formats[format]?.(plan) ?? '')
    if (format === 'text' && takes !== '') process.stdout.write(`\nThe document takes:\n${takes}`)
  }
  return 0
}

function optionProblems(text: string | undefined, format: string, options: PlanOptions): Problem[] {
  const { schema = false } = options
  const names = Object.keys(formats)
  const problems: Problem[] = []
  if (!Object.hasOwn(formats, format))
    problems.push({
      where: `--format ${format}`,
      what: 'is not a format of bench plan',
      fix: didYouMean(format, names) ?? `Use one of ${names.join(', ')}.`,
    })
  else if (options.json && format !== 'json')
    problems.push(problemAt('--json', `conflicts with --format ${format}`, 'Leave one of them out.'))
  else if (schema && format !== 'json')
    problems.push(
      problemAt(`--format ${format}`, 'conflicts with --schema, which prints JSON', 'Leave one of them out.'),
    )
  if (schema && text !== undefined)
    problems.push({
      where: '--schema',
      what: `conflicts with ${text}: the JSON Schema is the same for all documents`,
      fix: 'Leave one of them out.',
    })
  if (!schema && text === undefined)
    problems.push({
      where: 'plan',
      what: 'requires a document',
      fix: 'Write bench plan FILE, or bench plan NAME with a name of bench methods dag; --schema needs none.',
    })
  return problems
}

/** Reads a document and its agents' names as a run in this folder would, and what it takes. Throws `UserError` with every mistake. */
function readPlan(text: string): { plan: GraphPlan; takes: string } {
  const documents: Documents = { ...documentsFor({ name: 'dag' }, true), agentProblem: folderAgentProblem }
  const { file, workflow } = splitWorkflow(text)
  const shipped = Object.hasOwn(documents.shipped, `${file}.yaml`) && documents.shipped[`${file}.yaml`]
  if (shipped || !(existsSync(file) || isPath(file)))
    return {
      plan: choosePlan(text, documents),
      takes: takenText(documentPowers(shipped || '', `${file}.yaml`)),
    }
  const content = readDocumentFile(file)
  // A name without a path and an ending is that of a shipped document, so another file needs its path.
  const path = isPath(file) ? file : `./${file}`
  const plan = choosePlan(workflow === undefined ? path : `${path}#${workflow}`, {
    ...documents,
    read: (wanted, below) => (wanted === path ? content : documents.read(wanted, below)),
  })
  return { plan, takes: takenText(documentPowers(content, path)) }
}

const isPath = (file: string) => /[/\\]|\.(?:ya?ml|json)$/.test(file)
