import { z } from 'zod'
import type { KindOfWork } from '../../ask.ts'
import { Workflow } from '../../schema/method/workflow.ts'
import type { Documents, Workspace } from '../../strategy.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { unknownDocumentFix } from '../document/read-document.ts'
import { readWorkflow } from './workflow-file.ts'

const named = (name: string) => z.string().min(1).default(name)

/** Options that choose a workflow by its name, or by the path of its file. */
export const workflowOptions = {
  workflow: named('auto').describe('name or file of the workflow; auto: by the number of files of the task'),
  folder: z.string().default('').describe('a folder with further workflows, found by their names'),
  forAnswer: named('architecture_review').describe('with auto: the workflow for tasks without files'),
  forOneFile: named('quick_code_fix').describe('with auto: the workflow for tasks with one file'),
  forFiles: named('feature_development').describe('with auto: the workflow for tasks with several files'),
  workflows: z.record(z.string(), Workflow).default({}).describe('contents of the workflows; set by bench'),
}
const Options = z.object(workflowOptions)
type Options = z.output<typeof Options>

/** Reads the workflows that options name into the options. Throws `UserError` with every problem of all of them. */
export function withWorkflows<Given extends Options>(options: Given, documents: Documents): Given {
  const problems: Problem[] = []
  if (Object.keys(options.workflows).length > 0)
    problems.push({ where: 'option workflows', what: 'bench sets this option itself', fix: 'Leave it out.' })
  const files = filesByName(options.folder, documents, problems)
  const { workflow, forAnswer, forOneFile, forFiles } = options
  const names = workflow === 'auto' ? [forAnswer, forOneFile, forFiles] : [workflow]
  const workflows: Record<string, Workflow> = {}
  for (const name of new Set(names)) {
    const file = /[/\\]|\.ya?ml$/.test(name)
      ? { path: name, read: () => documents.read(name) }
      : files.get(name)
    const text = file?.read()
    if (!file || text === undefined) {
      problems.push({
        where: `workflow ${name}`,
        what: file ? 'there is no such file' : 'there is no such workflow',
        fix: file
          ? 'Give the path of a workflow file.'
          : unknownDocumentFix(name, [...files.keys()], documents.read),
      })
      continue
    }
    const read = readWorkflow(text, file.path, problems)
    if (read) workflows[name] = read
  }
  for (const { role, works } of clashes(workflows))
    problems.push({
      where: `workflow ${options.workflow}`,
      what: `agent "${role}" has the work ${works.join(' in one workflow and ')} in another`,
      fix: 'Rename the agent in one of them.',
    })
  if (problems.length > 0) throw new UserError(problems)
  return { ...options, workflows }
}

/** Returns workflow files by name: those that come with the strategy, and those of the user's folder, which win. */
function filesByName(folder: string, documents: Documents, problems: Problem[]) {
  // Files that no method names are not read: they may hold anything.
  const files = new Map<string, { path: string; read: () => string | undefined }>()
  const add = (file: string, path: string, read: () => string | undefined) => {
    if (/\.ya?ml$/.test(file)) files.set(file.replace(/\.ya?ml$/, ''), { path, read })
  }
  for (const [file, text] of Object.entries(documents.shipped)) add(file, file, () => text)
  if (folder === '') return files
  const listed = documents.list(folder)
  if (!listed)
    problems.push({
      where: `folder ${folder}`,
      what: 'there is no such folder',
      fix: 'Give the path of a folder with workflows.',
    })
  for (const file of listed ?? []) {
    const path = `${folder}/${file}`
    add(file, path, () => documents.read(path))
  }
  return files
}

function clashes(workflows: Readonly<Record<string, Workflow>>) {
  const works = new Map<string, Set<KindOfWork>>()
  for (const { agents } of Object.values(workflows))
    for (const [role, { work }] of Object.entries(agents))
      works.set(role, (works.get(role) ?? new Set()).add(work))
  return [...works].flatMap(([role, all]) => (all.size > 1 ? [{ role, works: [...all] }] : []))
}

/** Returns the roles of all workflows, with their kinds of work. */
export function workflowRoles({ workflows }: Options): Record<string, KindOfWork> {
  const all = Object.values(workflows).flatMap(({ agents }) => Object.entries(agents))
  return Object.fromEntries(all.map(([role, { work }]) => [role, work]))
}

/**
 * Returns the workflow of a trial. With `auto` the number of files decides: none, one or several. A method knows no more of its
 * task beforehand.
 */
export function chosenWorkflow(options: Options, workspace: Pick<Workspace, 'list'>): Workflow {
  const { workflow, forAnswer, forOneFile, forFiles, workflows } = options
  const files = workspace.list().length
  const name = workflow !== 'auto' ? workflow : files === 0 ? forAnswer : files === 1 ? forOneFile : forFiles
  const found = workflows[name]
  if (!found) throw new Error(`the workflow ${name} was not read before the run`)
  return found
}
