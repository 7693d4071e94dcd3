// Shows the counts of a gateway: figures at the top, and panels with tables below them.
import type { LoggedRequest } from '../gateway/log.js';
import { amount, count } from '../ui/format.js';
import { duration, money, percent, timeOfDay } from './numbers.js';
import { ownRoutes, type ModelSummary, type Summary, type ThreadSummary } from './summary.js';
import { LatencyView, Note, number, Panel, Table } from './tables.js';

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** Opens the text of a rule. */
export type OpenRule = (code: string) => void;

function Figure({ name, value, about }: { name: string; value: string; about: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="value">{value}</dd>
      <dd class="note">{about}</dd>
    </div>
  );
}

const unpricedTokens = (models: readonly ModelSummary[]) =>
  sum(models.filter(({ cost }) => cost === undefined).map(({ input, output }) => input + output));

function costNote({ models }: Summary): string {
  const tokens = unpricedTokens(models);
  if (tokens === 0) return 'at list prices';
  return `without ${amount(tokens, 'token')} of models whose price is not known`;
}

/** The figures at the top. */
export function Figures({ summary }: { summary: Summary }) {
  const { requests, routes, avoided, badRequests, restored, placeholders, models } = summary;
  const input = sum(models.map((model) => model.input));
  const cached = sum(models.map((model) => model.cached));
  const own = routes.filter(({ route }) => ownRoutes.includes(route));
  const found = sum(summary.findings.map((finding) => finding.found));
  const figures: [string, string, string][] = [
    [
      'Requests',
      count(requests),
      `and ${count(sum(own.map((each) => each.count)))} for health and metrics`,
    ],
    ['400s avoided', count(avoided), `${count(badRequests)} reached a client`],
    ['Repairs', count(summary.repaired), `of ${amount(found, 'finding')}`],
    ['Signatures restored', count(restored), amount(placeholders, 'placeholder')],
    ['Cached input', percent(cached, input), `${count(cached)} of ${count(input)} tokens`],
    ['Cost', money(summary.cost), costNote(summary)],
  ];
  return (
    <dl id="figures" class="figures">
      {figures.map(([name, value, about]) => (
        <Figure key={name} name={name} value={value} about={about} />
      ))}
    </dl>
  );
}

const Status = ({ status }: { status: string | number }) => (
  <span class={Number(status) >= 400 ? 'bad' : undefined}>{status}</span>
);

const RuleButton = ({ code, open }: { code: string; open: OpenRule }) => (
  <button type="button" class="link" onClick={() => open(code)}>
    {code}
  </button>
);

// What a request's findings came to: the rules, and whether they were repaired.
function Outcome({ request, openRule }: { request: LoggedRequest; openRule: OpenRule }) {
  const { error, findings = [], repaired = [], restored = 0 } = request;
  return (
    <ul>
      {error !== undefined && <li class="bad">{error}</li>}
      {findings.map((code, index) => (
        <li key={index}>
          <RuleButton code={code} open={openRule} />
          {repaired.includes(code) ? ' repaired' : ''}
        </li>
      ))}
      {restored > 0 && <li>{`${amount(restored, 'signature')} restored`}</li>}
    </ul>
  );
}

function RecentPanel({
  requests,
  openRule,
}: {
  requests: readonly LoggedRequest[];
  openRule: OpenRule;
}) {
  if (requests.length === 0)
    return (
      <Panel title="Last requests">
        <Note>No request yet.</Note>
      </Panel>
    );
  const rows = requests.map((request) => [
    timeOfDay(new Date(request.time)),
    request.route,
    request.model ?? '',
    <Status status={request.status} />,
    duration(request.ms / 1000),
    <Outcome request={request} openRule={openRule} />,
  ]);
  const columns = [
    ...['Time', 'Route', 'Model'].map((title) => ({ title })),
    ...['Status', 'Took'].map(number),
    { title: 'Found and repaired' },
  ];
  return (
    <Panel title="Last requests">
      <Table label="Requests, newest first" columns={columns} rows={rows} />
      <Note>The last 50 of the process that answered. Contents and keys are not kept.</Note>
    </Panel>
  );
}

function RoutesPanel({ routes }: Summary) {
  const rows = routes.map(({ route, status, count: requests }) => [
    route,
    <Status status={status} />,
    count(requests),
  ]);
  const columns = [{ title: 'Route' }, number('Status'), number('Requests')];
  return (
    <Panel title="Requests">
      {rows.length === 0 ? (
        <Note>No request yet.</Note>
      ) : (
        <Table label="Requests by route and status" columns={columns} rows={rows} />
      )}
    </Panel>
  );
}

function FindingsPanel({ findings, openRule }: Summary & { openRule: OpenRule }) {
  const rows = findings.map(({ code, found, repaired }) => [
    <RuleButton code={code} open={openRule} />,
    count(found),
    count(repaired),
  ]);
  const columns = [{ title: 'Rule' }, number('Found'), number('Repaired')];
  return (
    <Panel title="Findings">
      {rows.length === 0 ? (
        <Note>No request had a finding.</Note>
      ) : (
        <Table label="Findings by code" columns={columns} rows={rows} />
      )}
    </Panel>
  );
}

function ModelsPanel({ models }: Summary) {
  const rows = models.map(({ model, input, cached, output, cost }) => [
    model,
    cost === undefined ? 'not known' : money(cost),
    count(input),
    percent(cached, input),
    count(output),
  ]);
  const columns = [{ title: 'Model' }, ...['Cost', 'Input', 'Cached', 'Output'].map(number)];
  return (
    <Panel title="Tokens and cost">
      {rows.length === 0 ? (
        <Note>No answer reported tokens yet.</Note>
      ) : (
        <Table label="Tokens and cost by model" columns={columns} rows={rows} />
      )}
      {unpricedTokens(models) > 0 && (
        <Note>“other” is every model whose price this version does not know.</Note>
      )}
    </Panel>
  );
}

function ThreadsPanel({ sends, failures, latency }: ThreadSummary) {
  if (sends.length === 0)
    return (
      <Panel title="Threads">
        <Note>No send yet.</Note>
      </Panel>
    );
  const outcomes = sends.map(({ outcome, count: times }) => [outcome, count(times)]);
  const codes = failures.map(({ code, count: times }) => [code, count(times)]);
  const columns = (title: string) => [{ title }, number('Count')];
  return (
    <Panel title="Threads">
      <Table label="Sends by outcome" columns={columns('Sends')} rows={outcomes} />
      {codes.length > 0 && (
        <Table label="Failed sends by code" columns={columns('Failure')} rows={codes} />
      )}
      <LatencyView latency={latency} label="Duration of sends" unit="send" />
    </Panel>
  );
}

interface PanelsProps {
  summary: Summary;
  recent: readonly LoggedRequest[];
  openRule: OpenRule;
}

/** The panels below the figures. */
export function Panels({ summary, recent, openRule }: PanelsProps) {
  return (
    <>
      <div class="panels whole">
        <RecentPanel requests={recent} openRule={openRule} />
      </div>
      <div id="panels" class="panels">
        <RoutesPanel {...summary} />
        <FindingsPanel {...summary} openRule={openRule} />
        <ModelsPanel {...summary} />
        <Panel title="Latency">
          <Note>The time until the answer of Gemini begins.</Note>
          <LatencyView latency={summary.upstream} label="Latency of Gemini" unit="request" />
        </Panel>
        {summary.threads && <ThreadsPanel {...summary.threads} />}
      </div>
    </>
  );
}
