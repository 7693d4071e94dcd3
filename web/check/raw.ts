// Declares the classes that bindings/check_module.cpp registers.
import type { RawAnswers, RawHandle, RawModels } from '../sdk/core/raw.js';

export interface RawCheck extends RawModels {
  lint(): void;
  repair(): void;
  locate(): void;
  convert(): void;
  timeline(): void;
  importHistory(): void;
  openAiRequest(): void;
  answerSignatures(): void;
}

export interface RawGatewayRequest extends RawHandle {
  lookup(): void;
  sites(): void;
  chain(): void;
  prepare(): void;
}

export interface RawOpenAiAnswer extends RawHandle {
  push(): void;
  end(): void;
}

export interface RawCheckModule extends RawAnswers {
  Core: new () => RawCheck;
  OpenAiAnswer: new (core: RawCheck) => RawOpenAiAnswer;
  GatewayRequest: new (core: RawCheck, maxValues: number) => RawGatewayRequest;
}
