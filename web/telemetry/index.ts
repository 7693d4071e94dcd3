// The entry prompt-strata/telemetry: spans of OpenTelemetry for sends, requests and tools.
export { telemetry, type TelemetryOptions } from './telemetry.js';
