import { readPeople } from '../../loop/record/people-file.ts'
import { escapeHtml, textHtml } from '../../reports/html/html-text.ts'
import { safeText } from '../../reports/words/safe-text.ts'
import { problemAt, UserError } from '../../text/errors.ts'
import approve from '../people/approve.ts'
import guide from '../people/guide.ts'
import pause from '../people/pause.ts'
import { askedTrials, askingTrial, questionText } from '../people/questions.ts'
import { hrefOfRun } from './choose-trials.ts'
import { isPausing } from './progress.ts'
import { problemTexts, type RunFolders, type ViewedRun } from './run-folders.ts'
import { problemsHtml } from './shell.ts'

/** What a person can do to a run from its page; each does what the command of its name does. */
export const deeds = ['peek', 'pause', 'approve', 'guide'] as const
type Deed = (typeof deeds)[number]

/** Does what a form asks for. Throws `UserError` if the run does not take it. */
export async function act(
  { name, folder }: ViewedRun,
  deed: Deed,
  form: Readonly<Record<string, unknown>>,
  folders: Pick<RunFolders, 'peek'>,
): Promise<void> {
  const text = (field: string) => {
    const value = form[field]
    return typeof value === 'string' ? value : ''
  }
  if (deed === 'peek') return folders.peek(name)
  if (deed === 'pause') return void (await pause(folder))
  const trial = text('trial')
  if (trial === '') throw new UserError(problemAt(deed, 'names no trial', 'Load the page again.'))
  if (deed === 'guide') return void (await guide(folder, trial, text('state').trim(), text('text')))
  const answer = text('answer') || text('text')
  if (answer.trim() === '')
    throw new UserError(problemAt('approve', 'has no answer', 'Write what should change.'))
  await approve(folder, trial, answer)
}

/** Renders what a person can do to a run: the questions of its trials, and forms to guide and to pause it. */
export async function controlsHtml(run: ViewedRun, control: string | undefined): Promise<string> {
  const { name, folder, manifest, state } = run
  if (manifest.imported) return ''
  try {
    const asked = askedTrials(folder, await readPeople(folder)).filter((one) => one.state === 'waits')
    const form = (deed: Deed, body: string) =>
      `<form method="post" action="${hrefOfRun(name)}/${deed}"><input type="hidden" name="control" value="${escapeHtml(control ?? '')}">${body}</form>`
    const questions = asked.map(({ question, answer }) => {
      const hidden = `<input type="hidden" name="trial" value="${escapeHtml(question.trial)}">`
      const answers =
        '<button name="answer" value="yes">Yes</button> <button name="answer" value="abort">Abort</button>'
      const change = '<label>What should change <input name="text"></label> <button>Send</button>'
      const said = answer ? `<p>Answered: ${textHtml(safeText(answer.feedback ?? answer.decision))}</p>` : ''
      return `<li><b>${textHtml(askingTrial(question))}</b><pre>${textHtml(questionText(question, folder))}</pre>${said}${control === undefined ? '' : form('approve', `${hidden}${answers} ${change}`)}</li>`
    })
    const waiting =
      questions.length === 0
        ? ''
        : `<h2>Waits for a person</h2><ul class="questions">${questions.join('\n')}</ul>`
    if (control === undefined || state === 'whole') return waiting
    const pausing = await isPausing(run)
    const stop =
      state !== 'running'
        ? ''
        : pausing
          ? '<p>Pausing: each trial stops at its next checkpoint.</p>'
          : form('pause', '<button>Pause the run</button>')
    const tell = form(
      'guide',
      '<label>Trial <input name="trial" required></label> <label>State <input name="state" required></label> <label>What to do differently <input name="text" required></label> <button>Guide</button>',
    )
    return `<section id="controls" aria-label="Take part">${waiting}${stop}<details><summary>Guide a trial</summary>${tell}</details></section>`
  } catch (error) {
    return problemsHtml(problemTexts(error))
  }
}
