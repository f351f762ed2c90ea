// The agent of the published run of `fanout:post-gates`. It plays three workflows: on `cold-greenhouse` the first gate sends the
// drafts back with guidance; on `lost-backup` it does so until a rule breaks, and the orchestrator completes with the best draft;
// on `night-bread` it halts.

/** Answers an ask of any role. Every reply takes a second and costs a cent, so that equal runs are equal. */
export default function answer({ role, work, prompt, schema, history, trial }) {
  const task = trial.task.split('/')[1]
  const text = schema
    ? JSON.stringify({ ...markOf(schema), ...dataFor(schema, { role, task, history }) })
    : work === 'produce'
      ? post(task, role, prompt)
      : 'The audits agree: the post states every fact and keeps its form. Nothing is left to change.'
  return { text, tokens: { input: words(prompt), output: words(text) }, costUsd: 0.01, durationMs: 1000 }
}

/** The mark that the data of who judges must carry. */
const markOf = ({ properties }) => (properties?.mark ? { mark: properties.mark.const } : {})

const words = (text) => text.split(/\s+/).length

function dataFor(schema, { role, task, history }) {
  if (role === 'gate') return verdict(task, history.filter((ask) => ask.role === 'gate').length)
  if (schema.properties?.scores) return review(schema.properties.scores.items.properties)
  return decision(task)
}

function review({ target, criterion }) {
  const scores = target.enum.flatMap((one) =>
    criterion.enum.map((by) => ({ target: one, criterion: by, score: one.includes('ben') ? 7 : 6 })),
  )
  return { text: 'The opening is concrete. The middle says "things went wrong": say what froze, and when.', scores }
}

/** `before` is the number of verdicts that the gate has given. */
function verdict(task, before) {
  if (task === 'night-bread')
    return {
      decision: 'halt',
      quality_score: 2,
      issues: [{ severity: 'critical', issue: 'No draft says what the order came to.' }],
    }
  if (task === 'lost-backup' || before === 0)
    return {
      decision: 'retry',
      quality_score: 5,
      issues: [{ severity: 'major', issue: 'The drafts name no number.', fix: 'Take the numbers from the notes.' }],
      retry_guidance: 'State every number of the notes, and open with what could be heard.',
    }
  return { decision: 'proceed', quality_score: 8 }
}

function decision(task) {
  if (task === 'lost-backup')
    return {
      decision: 'force_complete',
      reasoning: 'Three rounds of drafts got the same score. The draft of ben names the cause.',
      use_output: 'drafts/ben.md',
    }
  return { decision: 'proceed', reasoning: 'The post is as good as its last audit says.' }
}

function post(task, role, prompt) {
  if (task === 'lost-backup') return `The drive clicked. ${name(role)} would say: a full disk, and nobody looked.`
  if (task === 'night-bread') return 'There was flour on the floor.'
  if (role !== 'orchestrator' && !prompt.includes('Do this differently'))
    return 'In a glasshouse things went wrong one night, and many plants died because nobody knew.'
  return greenhouse
}

const name = (role) => role[0].toUpperCase() + role.slice(1)

const greenhouse = `The leaf made no sound when Orla touched it. It hung from its stem like wet paper, and the whole glasshouse outside Wexford smelled of grass that had just been cut. She had come in at six in the morning to water. By seven she knew that she had lost 600 seedlings, every one of them a tomato, and by eight she had found out why.

The display of the heater controller read 4 °C. It had read so the evening before, and the evening before that, as steady as a painting, and she had liked it for that. Behind the wall a loose cable had let go of the sensor. The controller could no longer feel the air, so it went on saying the last thing that it had felt. Outside it was minus 2. The neighbour's weather station had written down the minute: at 02:40 the frost began.

There was an alarm. An assistant had written it for her, in the time that it takes to boil an egg, and it was just what she had asked for: ring when the reading falls below 3. The reading never fell. For 17 days it did not move by a tenth, and for 17 days the alarm agreed with it that all was well. It is hard to be angry with a rule that has done what it was told.

What she had lost was the habit of doubting the number. A careful rule had been put on top of it, and so nobody looked underneath. The better the tool, the easier it is to stop there.

Orla now has an alarm for silence: it rings when a reading does not change for an hour. And by the door, on a nail, hangs a thermometer made of glass. Each night she reads it aloud. It cannot repeat itself, and neither will she.`
