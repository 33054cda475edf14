{
  "aliases": {
    "{{jbangAliasName}}": {
      "script-ref": "https://github.com/{{repoOwner}}/{{repoName}}/releases/download/{{tagName}}/jdyno-{{projectVersion}}.jar",
      "description": "{{projectDescription}}",
      "java": "25+",
      "java-options": ["--enable-native-access=ALL-UNNAMED"]
    },
    "demo": {
      "script-ref": "https://github.com/{{repoOwner}}/{{repoName}}/releases/download/{{tagName}}/jdyno-{{projectVersion}}.jar",
      "description": "{{projectDescription}}: load a sample service and name what limits it",
      "arguments": ["demo"],
      "java": "25+",
      "java-options": ["--enable-native-access=ALL-UNNAMED"]
    }
  }
}
