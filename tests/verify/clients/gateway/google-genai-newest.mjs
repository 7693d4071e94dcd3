// The newest @google/genai: its `interactions`.
import { GoogleGenAI } from '@google/genai-newest';
import { usesOf } from './google-genai-interactions.mjs';

export default usesOf(GoogleGenAI);
