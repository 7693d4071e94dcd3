// Names the types of codes. The build makes them from src/catalogue/catalogue.json and web/sdk/base/errors.json.
export type { DiagnosticCode, ErrorCode, RuleCode } from '#generated/codes';
