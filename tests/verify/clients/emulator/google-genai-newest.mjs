// Trials of the newest @google/genai.
import { GoogleGenAI } from '@google/genai-newest';
import { trialsOf } from './google-genai.mjs';

export default trialsOf(GoogleGenAI);
