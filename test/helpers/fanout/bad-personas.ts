import { type BadMachine, bad, inPersona } from './bad-machine.ts'
import { persona } from './machines.ts'

/** Mistakes of personas and their templates. */
export const personas: Readonly<Record<string, BadMachine>> = {
  'an unknown persona': bad(
    'draft',
    'writer',
    'wirter',
    '20:5 states.draft.persona: there is no persona "wirter" Did you mean writer?',
  ),
  'a persona by its path': bad(
    'draft',
    'writer',
    'personas/writer.md',
    '20:5 states.draft.persona: "personas/writer.md" is a path, not the name of a persona Write writer.',
  ),
  'no persona': bad(
    'draft',
    '    persona: writer\n',
    '',
    '11:3 personas.writer: no state or agent uses this persona Remove it, or name it in a state or an agent.',
    '17:3 states.draft: has no persona, and its agents ada, ben have no persona Write persona: with a name of personas.',
  ),
  'a missing file': bad(
    'personas',
    'personas/writer.md',
    'personas/writr.md',
    '11:3 personas.writer: there is no file personas/writr.md Paths are relative to this file.',
  ),
  'an absolute file': bad(
    'personas',
    'personas/writer.md',
    '/etc/passwd',
    '11:3 personas.writer: must be a path relative to this file Write for example personas/writer.md.',
  ),
  'a part of a text': inPersona(
    'writer',
    persona('{{ task.constructor }}'),
    'flows/personas/writer.md:3:4: there is no task.constructor here (used by state "draft", line 20) Write {{ task }}, which has no parts.',
  ),
  'an empty persona': inPersona(
    'writer',
    ' \n',
    'flows/personas/writer.md: is empty Write the sections Task and Output.',
  ),
  'a persona without sections': inPersona(
    'writer',
    'Write.\n',
    'flows/personas/writer.md: has no section "Task" Add the heading `# Task`.',
    'flows/personas/writer.md: has no section "Output" Add the heading `# Output`.',
  ),
  'a section with nothing in it': inPersona(
    'writer',
    '# Task\n\n## Notes\n\n# Output\nText.\n',
    'flows/personas/writer.md: has nothing in the section "Task" Write it below its heading.',
  ),
  'sections with nothing in them': inPersona(
    'writer',
    '# Task\n<!-- later -->\n# Output\n',
    'flows/personas/writer.md: has nothing in the section "Task" Write it below its heading.',
    'flows/personas/writer.md: has nothing in the section "Output" Write it below its heading.',
  ),
  'a persona that nobody uses': bad(
    'personas',
    '  gate: personas/gate.md',
    '  gate: personas/gate.md\n  spare: personas/gate.md',
    '14:3 personas.spare: no state or agent uses this persona Remove it, or name it in a state or an agent.',
  ),
  'an unknown variable': inPersona(
    'writer',
    persona('{{ taks }}'),
    'flows/personas/writer.md:3:4: there is no variable "taks" (used by state "draft", line 20) Did you mean task?',
  ),
  'a variable that needs an input': inPersona(
    'writer',
    persona('{{ audits }}'),
    'flows/personas/writer.md:3:4: there is no variable "audits" (used by state "draft", line 20) Add audits/*.md to the input of the state.',
  ),
  'an unknown part of an input': inPersona(
    'auditor',
    persona('{% for one in drafts %}{{ one.txt }}{% endfor %}'),
    'flows/personas/auditor.md:3:27: there is no one.txt here (used by state "audit", line 32) Each input has agent, path, state, name and text.',
  ),
  'several unknown parts, one behind another': inPersona(
    'auditor',
    persona(
      '{{ taks }}{% for one in drafts %}{% if one.txt %}{{ one.agnt | append: one.naem }}{% endif %}{{ one.tex }}{% endfor %}{{ task.words }}',
    ),
    'flows/personas/auditor.md:3:4: there is no variable "taks" (used by state "audit", line 32) Did you mean task?',
    'flows/personas/auditor.md:3:40: there is no one.txt here (used by state "audit", line 32) Each input has agent, path, state, name and text.',
    'flows/personas/auditor.md:3:53: there is no one.agnt here (used by state "audit", line 32) Each input has agent, path, state, name and text.',
    'flows/personas/auditor.md:3:72: there is no one.naem here (used by state "audit", line 32) Each input has agent, path, state, name and text.',
    'flows/personas/auditor.md:3:97: there is no one.tex here (used by state "audit", line 32) Each input has agent, path, state, name and text.',
    'flows/personas/auditor.md:3:122: there is no task.words here (used by state "audit", line 32) Write {{ task }}, which has no parts.',
  ),
  'an unknown part that only a later visit reads': inPersona(
    'writer',
    persona('{{ task.one }}{% if guidance %}{{ guidance.two }}{% endif %}'),
    'flows/personas/writer.md:3:4: there is no task.one here (used by state "draft", line 20) Write {{ task }}, which has no parts.',
    'flows/personas/writer.md:3:35: there is no guidance.two here (used by state "draft", line 20) Write {{ guidance }}, which has no parts.',
  ),
  'the text of an agent that may fail': inPersona(
    'auditor',
    persona('{{ drafts[1].text }}'),
    'flows/personas/auditor.md:3:4: drafts.1 may be missing: an agent that failed gives nothing (used by state "audit", line 32) Write {% for one in drafts %} instead.',
  ),
  'a variable in a system prompt': inPersona(
    'lead',
    persona('{{ task }}'),
    'flows/personas/lead.md:3:4: a system prompt has no variable "task" (used by orchestrator, line 3) Use agent alone; the persona of a state has all variables.',
  ),
  'a template that is not closed': inPersona(
    'writer',
    persona('{% if task %}'),
    'flows/personas/writer.md:3:1: is no valid template: tag {% if task %} not closed',
  ),
  'an unknown filter': inPersona(
    'writer',
    persona('{{ task | upcas }}'),
    'flows/personas/writer.md:3:1: there is no filter "upcas" Did you mean upcase?',
  ),
}
