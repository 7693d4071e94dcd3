// Holds the template that the path `render` renders, of the size of a real agent's prompt, and
// builds its context.
#pragma once

#include <string>
#include <string_view>

#include "gates/inputs.h"
#include "json/writer.h"

namespace strata::gates {

/// Compiled with `trimBlocks` and `lstripBlocks`.
inline constexpr std::string_view kAgentPrompt = R"j2(
{%- macro heading(title, level=2) -%}
{{ '#' * level }} {{ title | title }}
{%- endmacro -%}
{%- macro field(name, value) -%}
"{{ name }}": {{ value | tojson }}
{%- endmacro -%}
{{ heading(agent.name ~ ' the ' ~ agent.role, 1) }}

You are {{ agent.name }}, {{ agent.role | lower }} of {{ workspace.name | default('this workspace') }}.
{% if agent.languages %}
You write {{ agent.languages | sort | join(', ') }}.
{% endif %}

{{ heading('rules') }}
{% for rule in rules if rule.active %}
{{ loop.index }}. {{ rule.text | trim }}{{ ';' if not loop.last else '.' }}
{% else %}
There are no rules.
{% endfor %}

{{ heading('tools') }}
{% for tool in tools %}
- `{{ tool.name }}`: {{ tool.about | truncate(60) }}
  {% for parameter in tool.parameters %}
  * {{ '%-14s' | format(parameter.name) }} {{ parameter.type | upper }}{{ ', required' if parameter.required }}
  {% endfor %}
{% endfor %}

{{ heading('files') }}
{% set state = namespace(lines=0, edited=[]) %}
{% for file in files %}
{% if file.kind == 'source' and file.lines | length > 2 %}
{{ heading(file.path, 3) }}
{
  {{ field('path', file.path) }},
  {{ field('owner', {'name': file.owner, 'mail': file.owner | lower | replace(' ', '.') ~ '@example.com'}) }},
  {{ field('score', (file.score * 100) | round(1)) }}
}
{% for line in file.lines %}
{{ '%4d' | format(loop.index) }} | {{ line.text | replace('\t', '  ') }}{{ '  <- edited' if line.edited }}
{% set state.lines = state.lines + 1 %}
{% endfor %}
{% elif file.kind == 'note' %}
> {{ file.lines | map(attribute='text') | join(' ') | wordwrap(72) | indent(2) }}
{% else %}
{{ file.path }} ({{ file.lines | length }} lines, not shown)
{% endif %}
{% if file.lines | selectattr('edited') | list %}
{% do state.edited.append(file.path) %}
{% endif %}
{% endfor %}

{{ state.lines }} lines are shown. Edited: {{ state.edited | unique | join(', ') }}.

{{ heading('next steps') }}
{% for owner, group in tasks | groupby('owner') %}
{{ owner }}: {% for task in group %}{{ task.title }}{{ ' (done)' if task.done }}{% if not loop.last %}, {% endif %}{% endfor %}

{% endfor %}
)j2";

/// Writes the files of the context.
inline void writeFiles(json::Writer& out, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    out.open('{').key("kind").string(i % 5 == 3 ? "note" : i % 5 == 4 ? "picture" : "source");
    out.key("path").string("src/room_" + std::to_string(i % 7) + "/file_" + std::to_string(i));
    out.key("owner").string("Ann Person" + std::to_string(i % 3));
    out.key("score").number(static_cast<double>(i) / 8).key("lines").open('[');
    for (size_t line = 0; line < 6; ++line) {
      out.open('{').key("text").string("\treturn find(\"" + std::to_string(line) + "\") + é;");
      out.key("edited").boolean((i + line) % 11 == 0).close('}');
    }
    out.close(']').close('}');
  }
}

/// Writes the tools of the context.
inline void writeTools(json::Writer& out, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    out.open('{').key("name").string("tool_" + std::to_string(i));
    out.key("about").string(prose(i, 1)).key("parameters").open('[');
    for (const char* name : {"path", "first_line", "last_line"}) {
      out.open('{').key("name").string(name).key("type").string("string");
      out.key("required").boolean(i % 2 == 0).close('}');
    }
    out.close(']').close('}');
  }
}

/// Returns a context of about 20 KB.
inline std::string agentContext() {
  json::Writer out;
  out.open('{').key("agent").open('{').key("name").string("Robin").key("role");
  out.string("Maintainer").key("languages").open('[').string("English").string("Deutsch");
  out.close(']').close('}').key("workspace").open('{').close('}').key("rules").open('[');
  for (size_t i = 0; i < 16; ++i) {
    out.open('{').key("active").boolean(i % 6 != 5).key("text").string(" " + prose(i, 1));
    out.close('}');
  }
  out.close(']').key("tools").open('[');
  writeTools(out, 12);
  out.close(']').key("files").open('[');
  writeFiles(out, 40);
  out.close(']').key("tasks").open('[');
  for (size_t i = 0; i < 12; ++i) {
    out.open('{').key("owner").string("Ann Person" + std::to_string(i * 5 % 3));
    out.key("title").string("task " + std::to_string(i)).key("done").boolean(i < 4).close('}');
  }
  return out.close(']').close('}').take();
}

}  // namespace strata::gates
