import { type Context, Hono } from 'hono'
import { stream } from 'hono/streaming'
import { readAssets } from '../report/page-assets.ts'
import { redactForFile } from '../terminal/standard-streams.ts'
import { type Answers, answerHtml } from './answer.ts'
import { choiceQuery, chooseTrials, hrefOfRun, neighboursOf, readChoice } from './choose-trials.ts'
import { act, controlsHtml, deeds } from './controls.ts'
import { type Guard, type GuardedEnv, guards } from './guard.ts'
import { listHtml } from './list-page.ts'
import { streamRun, versionOf } from './live.ts'
import { progressOf } from './progress.ts'
import { readTrial } from './read-trial.ts'
import { findViewedTrial, openRunFolders, problemTexts, type ViewedRun } from './run-folders.ts'
import { gridSection, statusHtml } from './run-page.ts'
import { searchTexts } from './search-texts.ts'
import { problemsHtml, type Shell, shellBegin, shellEnd, viewAssets } from './shell.ts'
import { trialHtml } from './trial-page.ts'

type Env = GuardedEnv
/** What the pages of a server share. */
type Pages = ReturnType<typeof openPages>

/** Creates the server of a folder of runs. */
export function createApp(root: string, guard: Guard): Hono<Env> {
  const app = new Hono<Env>()
  const pages = openPages(root, guard)
  app.use(...guards(guard))
  app.get('/', async (c) => {
    const { q, page } = c.req.query()
    const list = await listHtml(root, pages.folders, { ...(q && { q }), ...(page && { page }) })
    return pages.whole(c, { title: 'Runs', path: [] }, list)
  })
  app.get('/history', (c) => historyPage(c, root, pages))
  app.get('/runs/:run/events', async (c) =>
    (await pages.open(c)) ? streamRun(c, pages.folders, c.req.param('run')) : pages.lost(c, 'No such run'),
  )
  app.get('/runs/:run', guarded(pages, runPage))
  app.get('/runs/:run/trials/:trial', guarded(pages, trialPage))
  app.post('/runs/:run/:deed', guarded(pages, deedPage))
  app.notFound((c) => pages.lost(c, 'No such page'))
  app.onError((error, c) => {
    process.stderr.write(`bench view: ${String(error.stack ?? error)}\n`)
    return c.text('bench view has a fault here; the terminal says which.', 500)
  })
  return app
}

function openPages(root: string, guard: Guard) {
  const assets = readAssets(viewAssets)
  const folders = openRunFolders(root)
  const answers: Answers = new WeakMap()
  const nonceOf = (c: Context<Env>) => c.get('secureHeadersNonce') ?? ''
  const open = (c: Context<Env>) => folders.open(c.req.param('run') ?? '')
  const whole = (
    c: Context<Env>,
    { follows = null, ...head }: Pick<Shell, 'title' | 'path'> & { follows?: Shell['follows'] },
    body: string,
    status: 200 | 400 | 404 = 200,
  ) => {
    const html = [shellBegin({ ...head, assets }), body, shellEnd({ nonce: nonceOf(c), assets, follows })]
    return c.html(redactForFile(html.join('\n')), status)
  }
  const lost = (c: Context<Env>, title: string) =>
    whole(c, { title, path: [['Runs', '/']] }, '<p><a href="/">All runs</a></p>', 404)
  return { assets, folders, answers, guard, nonceOf, open, whole, lost }
}

/** Calls a page with its run; a run that cannot be read says why in its place. */
const guarded =
  (pages: Pages, page: (c: Context<Env>, run: ViewedRun, pages: Pages) => Promise<Response>) =>
  async (c: Context<Env>): Promise<Response> => {
    try {
      const run = await pages.open(c)
      return run ? await page(c, run, pages) : pages.lost(c, 'No such run')
    } catch (error) {
      const name = c.req.param('run') ?? ''
      // A page that says what is wrong with a run is a page; a deed that was not done is none.
      const status = c.req.method === 'POST' ? 400 : 200
      return pages.whole(c, { title: name, path: [['Runs', '/']] }, problemsHtml(problemTexts(error)), status)
    }
  }

/** The charts over all runs. Their database is large, so it is loaded on demand; where it is missing, the page says how to get it. */
async function historyPage(c: Context<Env>, root: string, { whole }: Pages) {
  const head = { title: 'What all runs say', path: [['Runs', '/']] } as const
  try {
    const [{ historyData }, { historyBody }] = await Promise.all([
      import('../../history/history-data.ts'),
      import('../../history/page.ts'),
    ])
    return whole(c, head, historyBody(await historyData(root), hrefOfRun))
  } catch (error) {
    return whole(c, head, problemsHtml(problemTexts(error)))
  }
}

/** The page of a run. It is sent in parts: what is quick first, since the answer of a large run takes seconds. */
async function runPage(c: Context<Env>, run: ViewedRun, { assets, answers, guard, nonceOf }: Pages) {
  const choice = readChoice(c.req.query())
  const { control } = guard
  const progress = await progressOf(run)
  const since = versionOf(run)
  const found = choice.q === '' ? undefined : await searchTexts(run, choice.q)
  const chosen = chooseTrials(run, choice, found)
  const query = choiceQuery(choice)
  const follows = { events: `${hrefOfRun(run.name)}/events${query}${query === '' ? '?' : '&'}since=${since}` }
  c.header('Content-Type', 'text/html; charset=utf-8')
  return stream(c, async (out) => {
    const send = (html: string) => out.write(redactForFile(html))
    await send(shellBegin({ title: run.name, path: [['Runs', '/']], assets }))
    await send(statusHtml(run, progress))
    await send(await controlsHtml(run, control))
    await send('<p class="wait notes" role="status">The answer is being worked out …</p>')
    await out.sleep(0)
    await send(await answerHtml(run, answers, control))
    await send(`<div class="beside">${gridSection(run, choice, chosen, found?.size)}`)
    await send('<aside id="beside" aria-label="Trial" hidden></aside></div>')
    await send(shellEnd({ nonce: nonceOf(c), assets, follows }))
  })
}

async function trialPage(c: Context<Env>, run: ViewedRun, { whole, lost }: Pages) {
  const wanted = await findViewedTrial(run, c.req.param('trial') ?? '')
  if (wanted === undefined) return lost(c, 'No such trial')
  const { id } = wanted
  const choice = readChoice(c.req.query())
  const full = c.req.query('full') === '1'
  const found = choice.q === '' ? undefined : await searchTexts(run, choice.q)
  const near = neighboursOf(chooseTrials(run, choice, found), id)
  const body = trialHtml(run, await readTrial(wanted.run, id, full), { choice, full, ...near })
  const back = `${hrefOfRun(run.name)}${choiceQuery(choice)}`
  return whole(
    c,
    {
      title: `Trial ${id.slice(0, 12)}`,
      path: [
        ['Runs', '/'],
        [run.name, back],
      ],
    },
    body,
  )
}

async function deedPage(c: Context<Env>, run: ViewedRun, { folders, lost }: Pages) {
  const deed = deeds.find((one) => one === c.req.param('deed'))
  if (!deed) return lost(c, 'No such page')
  await act(run, deed, await c.req.parseBody(), folders)
  return c.redirect(hrefOfRun(run.name), 303)
}
