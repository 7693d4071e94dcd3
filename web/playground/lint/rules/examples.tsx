// Shows the examples by problem. Each opens as a session of its own.
import { problems, type Example } from './problems.js';

function Item({ example: { title, rule, name }, close }: { example: Example; close: () => void }) {
  const href = rule === undefined ? `./#example/${name}` : `./#rule/${rule}`;
  const open = () => {
    close();
    // The same address again is another start of the example.
    if (location.hash === href) dispatchEvent(new HashChangeEvent('hashchange'));
  };
  return (
    <li>
      <a href={href} onClick={open}>
        {title}
      </a>
    </li>
  );
}

/** The list. `close` closes the dialog around it. */
export function Examples({ close }: { close: () => void }) {
  return (
    <>
      <p class="note">Each example opens in a session of its own. Yours stay as they are.</p>
      {problems.map(({ title, examples }) => (
        <section key={title}>
          <h3>{title}</h3>
          <ul class="rule-list">
            {examples.map((example) => (
              <Item key={example.title} example={example} close={close} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
