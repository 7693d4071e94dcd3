// Provides a prompt to start from: both templates, a section, and their variables.
import type { PromptDraft } from '../state/playground-document.js';

/** The prompt of a museum's visitor service. */
export const examplePrompt: PromptDraft = {
  static: `You answer questions of visitors of {{ museum.name }}.
{% for rule in rules %}
- {{ rule }}
{% endfor %}
{% if languages %}
Answer in the language of the question, if it is one of {{ languages | join(", ") }}.
{% endif %}
`,
  dynamic: `{
  "current_datetime": {{ current_datetime | tojson }},
  "open_now": {{ open_now | tojson }},
  "notices": {{ notices | tojson }}
}`,
  sections: [
    {
      name: 'tickets',
      template: 'A ticket costs {{ museum.ticket }} euros. Children pay nothing.\n',
    },
  ],
  variables: JSON.stringify(
    {
      museum: { name: 'the Museum of Layers', ticket: 9.5 },
      rules: ['Answer in three sentences at most.', 'Say so if the handbook has no answer.'],
      languages: ['English', 'French', 'Japanese'],
      open_now: true,
      notices: ['The lift is being repaired until noon.'],
    },
    null,
    2,
  ),
  placement: 'after-static',
};

/** Whether a prompt has nothing yet. */
export const isBlank = ({ static: fixed, dynamic, sections, variables }: PromptDraft): boolean =>
  fixed === '' && dynamic === '' && sections.length === 0 && /^\s*(?:\{\s*\})?\s*$/.test(variables);
