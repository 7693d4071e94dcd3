// Provides the prompt that the view shows first: a museum's visitor service, whose handbook is long enough for a cache.
import type { PromptDraft } from '../state/playground-document.js';

const rooms =
  'Maps and globes,Clocks,Early writing,Seals and stamps,Printing,Paper,Bronze,Iron,Glass,Porcelain,Silver,Coins,' +
  'Ships,Harbors,Lighthouses,Compasses,Fishing,Salt,Looms,Dyes,Silk,Wool,Lace,Carpets,' +
  'Telescopes,Lenses,Radio,Telegraphs,Calculators,Computers';

// A room on each line.
const roomList = rooms.split(',').map((name, index) => {
  const room = { name, floor: Math.floor(index / 6), visitors: 20 + 5 * (index % 4) };
  return `    ${JSON.stringify(room)}`;
});

const handbook = `# Handbook
{% for room in rooms %}
## Room {{ loop.index }}: {{ room.name }}
- The room is on floor {{ room.floor }}. The lift stops there; its door is next to the stairs.
- At most {{ room.visitors }} visitors may be in the room at the same time. The staff count at the door.
- Opening hours: from 10:00 to 18:00, on Thursdays until 21:00. The last visitors enter 30 minutes before.
- Tickets for groups include this room. Groups of more than {{ room.visitors // 2 }} people come in two parts.
- Guided tours stop here for ten minutes. During a tour, other visitors may listen, but not ask.
- Photographs are allowed without a flash. Tripods need a permit of the archive, one day ahead.
- Bags larger than a sheet of paper stay in the cloakroom, and so do umbrellas and strollers.
- Food and drinks stay in the restaurant on floor 0, which closes one hour before the museum.
- The evening lectures about "{{ room.name }}" take place in the hall. Seats cannot be reserved.
- The archive answers questions about objects of this room in writing, within two weeks.
- The restoration of an object can be watched through the window next to the door, on weekdays before noon.
- Lost property of floor {{ room.floor }} waits at the desk for a month, and then at the city's office.
- The shop sells the catalog of this room. It is also in the library, where it can be read.
- If the alarm sounds, leave by the stairs next to the lift. The staff of floor {{ room.floor }} will lead you.

{% endfor %}
`;

/** The prompt of a museum's visitor service. */
export const examplePrompt: PromptDraft = {
  static: `You answer questions of visitors of {{ museum.name }}.
{% for rule in rules %}
- {{ rule }}
{% endfor %}
A ticket costs {{ museum.ticket }} euros. Children pay nothing.
{% if languages %}
Answer in the language of the question, if it is one of {{ languages | join(", ") }}.
{% endif %}

${handbook}`,
  dynamic: `{
  "current_datetime": {{ current_datetime | tojson }},
  "open_now": {{ open_now | tojson }},
  "notices": {{ notices | tojson }}
}`,
  variables: `{
  "museum": { "name": "the Museum of Tools", "ticket": 9.5 },
  "rules": ["Answer in three sentences at most.", "Say so if the handbook has no answer."],
  "languages": ["English", "French", "Japanese"],
  "open_now": true,
  "notices": ["The lift is being repaired until noon."],
  "rooms": [
${roomList.join(',\n')}
  ]
}`,
  placement: 'before-current-turn',
};
