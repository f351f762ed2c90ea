import { askMissing } from './ask-missing.ts'
import { templateOf } from './code-templates.ts'
import { finishTask, idProblemIn, tagsOf } from './finish-task.ts'
import { saidNothingWritten, untilInterrupted } from './until-interrupted.ts'
import { newTaskFolder } from './write-task.ts'

interface CodeOptions {
  id?: string
  language?: string
  function?: string
  title?: string
  tag?: string
  out: string
}

const languages = ['javascript', 'typescript', 'python'] as const
type Language = (typeof languages)[number]

/** `bench tasks new code` writes a task for one function that works as it is, to be changed, and proves it. */
export default async function newCode(given: CodeOptions): Promise<number> {
  const values = await askMissing('bench tasks new code', given, [
    {
      name: 'id',
      question: 'a short name of the task, such as week-number',
      problem: idProblemIn(given.out),
    },
    { name: 'language', question: `the language: ${languages.join(', ')}`, problem: languageProblem },
    { name: 'function', question: 'the name of the function, such as weekNumber', problem: nameProblem },
  ])
  if (!values) return saidNothingWritten()
  const { id } = values
  const folder = newTaskFolder(given.out, id)
  const language = values.language as Language
  const { spec, ...texts } = templateOf(language, values.function)
  const title = given.title ?? `Write ${values.function}`
  const parts = { spec: { id, title, ...spec, ...tagsOf(given.tag) }, ...texts }
  return untilInterrupted((signal) => finishTask(folder, parts, { signal, generate: 4 }))
}

const languageProblem = (text: string) =>
  languages.some((language) => language === text) ? undefined : `is not one of ${languages.join(', ')}`

const nameProblem = (text: string) =>
  /^[A-Za-z_]\w*$/.test(text) ? undefined : 'is not a name that all three languages take for a function'
