// Declares the sources of templates, which Vite imports as text.
declare module '*.j2?raw' {
  const source: string;
  export default source;
}
